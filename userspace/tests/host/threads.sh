#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 600
# Every scene and example of Mali's on several threads and on one: pictures are the same, and every word. That strict mode,
# which has the PPs work one after the other, draws the same is host/fast-path's. Not pixel.limn: somebody watches there.
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
status=0 runs=0

for file in userspace/tests/scenes/utgard/*.limn userspace/tool/examples/*.limn; do
	[ "${file##*/}" = pixel.limn ] && continue
	for n in 1 3; do
		# Reports behind the pictures, whose buffer is full at a place that depends on the seconds.
		build/limn run --json --model mali-450-mp8 --threads $n "$file" >"$out/$n" 2>"$out/reports"
		cat "$out/reports" >>"$out/$n"
		sed -i 's/"seconds": [0-9.e-]*//' "$out/$n"
	done
	grep -q '"pixels"' "$out/1" || { echo "$file: no picture"; status=1; }
	diff "$out/1" "$out/3" >"$out/diff" || { echo "$file: one thread (<) and three (>) differ:"; head -5 "$out/diff"; status=1; }
	runs=$((runs + 1))
done
echo "$runs files"
[ $runs -gt 10 ] || status=1
exit $status
