#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --activity out/check/trace-limn.activity --driver limn --gpu mali-400-mp2 --rw out/check
# testbed: --activity out/check/trace-lima.activity --driver lima --gpu mali-400-mp2 --rw out/check
# testbed: --activity out/check/trace-etnaviv.activity --driver etnaviv --gpu gc2000 --rw out/check
# limn trace of two frames: each job was queued, waited and ran, in that order, on the track of its ring; the model's
# units worked while the kernel says that the job ran; counters where the driver has some. limn top sees a client.
set -u
node=/dev/dri/renderD128
dir=$(mktemp -d)
fail() { echo "FAIL: $*"; exit 1; }
case $(build/limn info --device $node --json) in
*'"gpu": "mali'*) scene=userspace/tool/examples/cube.limn parts="vs plbu pp0 pp1 l2_cache0" ;;
*) scene=userspace/tool/examples/vivante/cube.limn parts="fe 3d vs pa ra ps pe rs" ;;
esac
limn=
build/limn info --device $node | grep -q "limn:" && limn=1
counters=${limn:+--counters}

# shellcheck disable=SC2086
build/limn trace -o "$dir/trace.json" --interval 5 $counters -- \
	build/limn bench --device $node --frames 20 "$scene" >"$dir/out" 2>&1 || fail "$(cat "$dir/out")"
python3 - "$dir/trace.json" "$limn" $parts <<'END' || fail "the timeline"
import json, sys
path, limn, parts = sys.argv[1], sys.argv[2], sys.argv[3:]
events = json.load(open(path))["traceEvents"]
tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
runs = [e for e in events if e["ph"] == "X"]
rings = {tracks[e["pid"], e["tid"]] for e in runs}
assert len(runs) >= 20 * len(rings) and rings == ({"gp", "pp"} if "plbu" in parts else rings), (len(runs), rings)
last = {}
for e in sorted(runs, key=lambda e: e["ts"]):
    assert e["args"]["queue_us"] >= 0 and e["args"]["wait_us"] >= 0 and e["args"]["run_us"] > 0, e
    # Jobs of a ring do not overlap.
    assert e["ts"] >= last.get(e["tid"], 0) - 0.002, e
    last[e["tid"]] = e["ts"] + e["dur"]
assert {tracks[k] for k in tracks} >= set(parts), tracks
# A unit's work lies within a run, but for some milliseconds that a busy machine takes from the guest's clock.
near = 0
starts = sorted(e["ts"] for e in runs)
drawn = [e["ts"] for e in events if e["ph"] == "B" and tracks[e["pid"], e["tid"]] in ("plbu", "3d")]
assert len(drawn) >= 20, len(drawn)
for time in drawn:
    near += any(e["ts"] - 3000 <= time <= e["ts"] + e["dur"] + 3000 for e in runs)
assert near >= 0.7 * len(drawn), (near, len(drawn))
open_parts = {}
for e in events:
    if e["ph"] in "BE":
        key = e["pid"], e["tid"]
        open_parts[key] = open_parts.get(key, 0) + (1 if e["ph"] == "B" else -1)
        assert open_parts[key] in (0, 1), e
assert all(v == 0 for v in open_parts.values())
# The 3D pipe's parts work within a draw.
draws = sorted((e["ts"], e["ph"]) for e in events if e["ph"] in "BE" and tracks[e["pid"], e["tid"]] == "3d")
spans = [(a[0], b[0]) for a, b in zip(draws, draws[1:]) if a[1] == "B"]
for e in events:
    if e["ph"] in "BE" and "3d" in parts and tracks[e["pid"], e["tid"]] in ("pa", "ra", "ps", "pe"):
        assert any(a <= e["ts"] <= b for a, b in spans), e
counted = {e["name"] for e in events if e["ph"] == "C"}
assert not limn or any("active cycles" in c or "SHADER_CYCLES" in c for c in counted), counted
END
grep -q "jobs, .* events; ui.perfetto.dev opens it" "$dir/out" || fail "$(cat "$dir/out")"
[ -z "$(ls /sys/kernel/tracing/instances)" ] || fail "an instance of tracefs is left"

# A program that fails, and one that is none: the first leaves its timeline, the second nothing.
build/limn trace -q -o "$dir/failed.json" -- bash -c "build/limn run -q --device $node $scene; kill -9 \$\$" 2>"$dir/out"
[ $? = 3 ] && grep -q "ended with status 137" "$dir/out" && [ -s "$dir/failed.json" ] || fail "a program that dies: $(cat "$dir/out")"
build/limn trace -q -o "$dir/none.json" -- /no/such/program 2>"$dir/out"
[ $? = 2 ] && [ ! -e "$dir/none.json" ] || fail "a program that is none: $(cat "$dir/out")"

build/limn bench --device $node --seconds 3 "$scene" >/dev/null 2>&1 &
sleep 1
build/limn top -n 2 --interval 0.5 --json >"$dir/top"
wait
python3 - "$dir/top" "$limn" <<'END' || fail "limn top: $(cat "$dir/top")"
import json, sys
rounds = [json.loads(line) for line in open(sys.argv[1])]
assert len(rounds) == 2
clients = rounds[1]["clients"]
assert clients and all(c["command"] == "limn" and c["driver"] for c in clients), clients
if sys.argv[2]:
    assert sum(sum(c["busy_percent"].values()) for c in clients) > 1, clients
    assert sum(rounds[1]["engines"].values()) > 1
END
rm -r "$dir"
