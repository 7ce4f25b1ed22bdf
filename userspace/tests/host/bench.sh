#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# A round of what make bench runs: every figure is there, and is possible. How fast is not for a busy machine to say.
possible() {	# FILE COUNT EXPRESSION: numbers of a row r
	python3 -c 'import json, sys
rows, of = json.load(open(sys.argv[1]))["rows"], sys.argv[3]
wrong = [r for r in rows for x in eval(of) if x is not None and not 0 < x < 1e12]
sys.exit("\n".join(map(str, wrong)) if wrong else 0 if len(rows) >= int(sys.argv[2]) else f"{len(rows)} rows of {sys.argv[2]}")' "$@"
}

out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
scripts/bench --quick --gpu gc2000 --out "$out" >/dev/null && possible "$out/bench.json" 32 '[r["limn"], r["peer"]]' || exit 1
compgen -G "/usr/lib/*/dri/swrast_dri.so" >/dev/null || exit 0	# scripts/setup --bench
scripts/bench-frames --gpu gc2000 --rounds 1 --frames 1 --out "$out" >/dev/null || exit
possible "$out/bench-frames-1.json" 12 '[*r["ms"], *r.get("outside_ms", [])]'
