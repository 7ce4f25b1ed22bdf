#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
# Strict, a model goes by its caches and looks at each access; else it takes shorter ways. Both draw the same:
# the pixels of every scene, job and example have one sum. Not of pixel.limn's: they are about who watches a pixel.
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
status=0
pictures=0
sums() {
	sed -n 's/.*"scene": \("[^"]*"\).*"pixels": \("[^"]*"\).*/\1 \2/p; t; s/.*"pixels": //p' "$1"
}
for gpu in mali-400-mp2 gc2000 gc7000l gc320; do
	for file in userspace/tests/scenes/*/*.limn userspace/tests/jobs/{,vivante/}*.limn userspace/tool/examples/{,vivante/}*.limn; do
		[ "${file##*/}" = pixel.limn ] && continue
		case $gpu-$(grep -c '^vivante' "$file") in
		mali*-0 | gc*-[1-9]*) ;;
		*) continue ;;
		esac
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
[ $pictures -gt 500 ] || status=1
exit $status
