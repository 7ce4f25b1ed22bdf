#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver lima --gpu mali-400-mp2
# testbed: --driver limn --gpu mali-450-mp4
# testbed: --driver etnaviv --gpu gc2000
# testbed: --driver limn --gpu gc7000l
# limn capture on a driver, and limn replay on the model and on the device: the same bytes in every BO that a job wrote, the same picture
# as the program's; of several processes at a time; of a program that crashes; of a file that is cut. limn show and limn diff on them.
set -u
node=/dev/dri/renderD128
dir=$(mktemp -d)
case $(build/limn info --device $node --json) in
*'"gpu": "mali'*) scenes=(userspace/tool/examples/{triangle,textured,stencil}.limn) ;;
*) scenes=(userspace/tool/examples/vivante/{triangle,textured,stencil}.limn) ;;
esac
[ -e "${scenes[1]}" ] || { echo "no ${scenes[1]}"; exit 1; }

fail() { echo "FAIL: $*"; exit 1; }
run=(build/limn run -q --device $node)

for scene in "${scenes[@]}"; do
	for results in "" --results; do
		# shellcheck disable=SC2086
		build/limn capture $results -o "$dir/a" -- "${run[@]}" "$scene" -o "$dir/was.ppm" 2>"$dir/log" || fail "$scene: $(cat "$dir/log")"
		grep -qE "submits to .*slower by [0-9.]+ times" "$dir/log" || fail "$scene: $(cat "$dir/log")"
		build/limn replay "$dir/a" -o "$dir/is.ppm" >"$dir/out" || fail "$scene $results: $(cat "$dir/out")"
		cmp "$dir/was.ppm" "$dir/is.ppm" || fail "$scene $results: another picture"
		grep -q "as recorded" "$dir/out" || fail "$scene $results: $(cat "$dir/out")"
		build/limn replay "$dir/a" --device $node -o "$dir/is.ppm" >"$dir/out" && grep -q "as recorded" "$dir/out" &&
			cmp "$dir/was.ppm" "$dir/is.ppm" || fail "$scene $results, on the device: $(cat "$dir/out")"
	done
done

# What was sent, and what two programs send differently.
case ${scenes[0]} in
*vivante*) change='blend add src-alpha one-minus-src-alpha' state=PE.ALPHA_CONFIG shader='mov\|texld' ;;
*) change='depth less' state=RSW.DEPTH_FUNC shader='load.v' ;;
esac
sed "0,/^draw/s//$change\ndraw/" "${scenes[0]}" >"$dir/other.limn"
build/limn capture -q -o "$dir/one" -- "${run[@]}" "${scenes[0]}" || fail "capture of one"
build/limn capture -q -o "$dir/other" -- "${run[@]}" "$dir/other.limn" || fail "capture of other"
build/limn diff "$dir/one" "$dir/one" | grep -q ", 0 differences" || fail "a capture differs from itself"
build/limn diff "$dir/one" "$dir/other" >"$dir/out"
[ $? = 1 ] && grep -qE "^  $state" "$dir/out" || fail "diff: $(cat "$dir/out")"
build/limn show "$dir/one" --submit 0 >"$dir/out" && grep -q "vertex shader" "$dir/out" && grep -q "$shader" "$dir/out" ||
	fail "show: $(cat "$dir/out")"
for options in "show $dir/one" "show $dir/one --submit 0" "show $dir/one --submit 0 --draw 0" "diff $dir/one $dir/other" \
	"replay $dir/one"; do
	# shellcheck disable=SC2086
	build/limn $options --json | python3 -m json.tool >"$dir/out" || fail "limn $options --json"
done

build/limn pixel "$dir/one" 128,128 >"$dir/out" && grep -q "draw [0-9] of submit 0 .*: drawn" "$dir/out" && grep -q "$shader" "$dir/out" ||
	fail "pixel: $(cat "$dir/out")"
build/limn pixel "$dir/one" 128,128 --json | python3 -m json.tool >"$dir/out" || fail "pixel --json"
build/limn pixel "$dir/one" 9999,1 2>"$dir/out"
[ $? = 2 ] && grep -q "outside of what is drawn" "$dir/out" || fail "a pixel outside: $(cat "$dir/out")"

# What a replay must notice: another byte in memory that a job reads.
python3 userspace/tests/guest/lib/spoil-capture.py "$dir/a" "$dir/b" || fail "no capture to spoil"
build/limn replay "$dir/b" >"$dir/out"
[ $? = 3 ] && grep -qE "differ, the first at|failed: " "$dir/out" || fail "spoilt: $(cat "$dir/out")"

# Several processes, one of which dies.
build/limn capture -o "$dir/many" -- bash -c '"$@" & "$@" & "$@" & wait; kill -KILL $$' bash "${run[@]}" "${scenes[0]}" 2>"$dir/log"
[ $? = 3 ] && grep -q "from 3 processes" "$dir/log" && grep -q "has ended with status 137" "$dir/log" || fail "$(cat "$dir/log")"
build/limn replay "$dir/many" >"$dir/out" && grep -q "as recorded" "$dir/out" || fail "three processes: $(cat "$dir/out")"

# Up to where it is whole.
head -c $(($(stat -c %s "$dir/many") * 2 / 3)) "$dir/many" >"$dir/cut"
build/limn replay "$dir/cut" >"$dir/out" 2>"$dir/log"
[ $? = 1 ] && grep -q "is lost: the file is cut off" "$dir/log" && grep -q "[1-9].* submits" "$dir/out" || fail "cut: $(cat "$dir/log" "$dir/out")"
rm -r "$dir"
