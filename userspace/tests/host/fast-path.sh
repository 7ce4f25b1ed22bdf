#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
# Strict, a model goes by its caches and looks at each access; else it takes shorter ways. Both draw the same:
# the pixels of every scene, job and example have one sum.
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
status=0
pictures=0
sums() {
	sed -n 's/.*"scene": \("[^"]*"\).*"pixels": \("[^"]*"\).*/\1 \2/p; t; s/.*"pixels": //p' "$1"
}
for gpu in mali-400-mp2 mali-450-mp8 gc600 gc2000 gc7000l gc320; do
	for file in userspace/tests/scenes/*/*.limn userspace/tests/jobs/{,vivante/}*.limn userspace/tool/examples/{,vivante/}*.limn; do
		for mode in "" --strict; do
			build/limn run --json $mode --model $gpu "$file" 2>/dev/null | sums /dev/stdin >"$dir/pixels$mode"
		done
		pictures=$((pictures + $(wc -l <"$dir/pixels")))
		if ! diff "$dir/pixels" "$dir/pixels--strict" >"$dir/diff"; then
			echo "$file on $gpu: not strict (<) and strict (>) differ:"
			head -5 "$dir/diff"
			status=1
		fi
	done
done
echo "$pictures pictures"
[ $pictures -gt 1000 ] || status=1
exit $status
