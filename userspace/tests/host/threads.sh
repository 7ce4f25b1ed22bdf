#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 600
# Every scene and example on several threads and on one: pictures are the same, and every word. That strict mode, which has no
# threads, draws the same is host/fast-path's. Not pixel.limn: somebody watches there.
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
status=0 runs=0

for gpu in mali-450-mp8 gc2000 gc7000l; do
	for file in userspace/tests/scenes/*/*.limn userspace/tool/examples/{,vivante/}*.limn; do
		[ "${file##*/}" = pixel.limn ] && continue
		case $gpu-$(grep -c '^vivante' "$file") in
		mali*-0 | gc*-[1-9]*) ;;
		*) continue ;;
		esac
		for n in 1 3; do
			# Reports behind the pictures, whose buffer is full at a place that depends on the seconds.
			build/limn run --json --model $gpu --threads $n "$file" >"$out/$n" 2>"$out/reports"
			cat "$out/reports" >>"$out/$n"
			sed -i 's/"seconds": [0-9.e-]*//' "$out/$n"
		done
		# Kernels and copies have none.
		if grep -q '"pixels"' "$out/1"; then
			runs=$((runs + 1))
		elif [ $gpu = mali-450-mp8 ]; then
			echo "$file: no picture"
			status=1
		fi
		diff "$out/1" "$out/3" >"$out/diff" ||
			{ echo "$file on $gpu: one thread (<) and three (>) differ:"; head -5 "$out/diff"; status=1; }
	done
done
echo "$runs files with pictures"
[ $runs -ge 40 ] || status=1
exit $status
