#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
# Every scene and example of Mali's on several threads, on one, with none beside another (--pixel: somebody looks on)
# and in strict mode: pictures are the same, and between numbers of threads so is every word.
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
status=0

# NAME OPTION...: one run of $file; pictures apart from what was said.
draw()
{
	build/limn run --json --model "$gpu" "${@:2}" "$file" > "$out/$1" 2> "$out/$1.said"
	sed -i 's/"seconds": [0-9.e-]*//' "$out/$1"
	grep -o '"pixels": "[0-9a-f]*"' "$out/$1" > "$out/$1.pixels"
}

same()
{
	cmp -s "$out/$1" "$out/$2" && return
	echo "$file on $gpu: $3"
	diff "$out/$1" "$out/$2" | head -5
	status=1
}

for gpu in mali-400-mp4 mali-450-mp8; do
	for file in userspace/tests/scenes/utgard/*.limn userspace/tool/examples/*.limn; do
		draw 1 --threads 1
		draw strict --strict
		draw alone --pixel 0,0
		[ -s "$out/1.pixels" ] || { echo "$file on $gpu: no picture"; status=1; }
		same 1.pixels strict.pixels "strict mode draws another picture"
		same 1.pixels alone.pixels "PPs one after the other draw another picture"
		for n in 2 4; do
			draw $n --threads $n
			same 1 $n "$n threads do something else than one"
			same 1.said $n.said "$n threads say something else than one"
		done
	done
done
exit $status
