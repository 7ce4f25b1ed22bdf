#!/bin/bash
# SPDX-License-Identifier: MIT
# limn run --pixel: why a pixel is as it is, for each test that can reject a fragment; and on the examples, where
# what the history ends with is what the picture has; its shader, step by step. Looking on changes no pixel.
set -u
make -s build/limn || exit 1
dir=out/check/pixel.d
rm -rf $dir
mkdir -p $dir
failed=0
fail() { echo "FAIL: $*"; failed=1; }

job() {	# STATE of the second of two red rectangles from 8,0 to 16,16 of 16x16
	cat <<END
target 16 16
clear color 0 0 1 1
clear depth 1
attribute 0 float4 { 16 0 0.5 1  8 0 0.5 1  8 16 0.5 1 }
attribute 1 float4 { repeat 3 { 1 0 0 1 } }
outputs position float4
vertex-shader {
	mov.a0 ^_/v0.x a0.x
	mov.a1 ^_/v0.y a0.y
	mov.m0 ^_/v0.z a0.z
	mov.m1 ^_/v0.w a0.w

	mov.a0 ^_/v1.x a1.x
	mov.a1 ^_/v1.y a1.y
	mov.m0 ^_/v1.z a1.z
	mov.m1 ^_/v1.w a1.w
}
fragment-shader {
	load.v \$0 0, stop
}
depth less
draw rectangle 0 3
$1
draw rectangle 0 3
END
}

model=mali-400-mp1
says() {	# STATE PIXEL TEXT...
	local state=$1 pixel=$2 text
	shift 2
	job "$state" >$dir/job.limn
	build/limn run --model $model -q $dir/job.limn --pixel "$pixel" >$dir/out 2>&1 || { fail "$state: $(cat $dir/out)"; return; }
	for text in "$@"; do
		grep -qF -- "$text" $dir/out || fail "'$state', $pixel: no '$text' in $(cat $dir/out)"
	done
}

# What both families say of a state.
says_alike() {
	local state='depth always read-only
'
	says "" 3,8 "nothing drew here" "does not cover it by 4.5 pixels"
	says "${state}scissor 0 0 10 10" 12,8 ": cut off by the scissor"
	says "${state}stencil never 0 255 keep keep keep 255" 12,8 ": failed the stencil test" "stencil test: NEVER, reference 0, mask 255, write mask 255; fail KEEP"
	says "${state}stencil equal 7 15 replace keep keep 63" 12,8 "stencil test: EQUAL, reference 7, mask 15, write mask 63; fail REPLACE, depth fail KEEP, pass KEEP"
	says "${state}alpha-test less 0.5" 12,8 ": failed the alpha test" "LESS, reference 128" "out of the shader = 1 0 0 1"
	says "${state}color-mask none" 12,8 ": no channel may be written" "channels written: none"
	says "${state}color-mask ga" 12,8 "channels written: GA" "colour 255 0 0 255 -> 255 0 0 255"
	says "${state}blend add one one" 12,8 "colour 255 0 0 255 -> 255 0 0 255" "ADD of source * ONE, destination * ONE; alpha "
	says "${state}blend subtract one src-alpha" 12,8 "SUBTRACT of source * ONE, destination * SRC"
}

says "" 12,8 "rectangle 0 1 2" ": drawn" "colour 0 0 255 255 -> 255 0 0 255" ": failed the depth test" \
	"depth 00800000; the buffer's 00800000 -> 00800000" "depth test: LESS, written: on"
says "depth greater read-only" 12,8 "depth test: GREATER, written: off"
says_alike
# What the PLBU puts into no list.
triangles="depth always read-only
attribute 0 float4 { 2 2 0.5 1  14 2 0.5 1  2 14 0.5 1 }"
job "$triangles" | sed '$s/rectangle/triangles/' >$dir/cull.job
for what in "cull both|4,4|: culled: it shows the face that is not drawn" "scissor 0 0 2 2|4,4|: cut off by the scissor"; do
	IFS='|' read -r state pixel text <<<"$what"
	sed "\$i $state" $dir/cull.job >$dir/job.limn
	build/limn run --model $model -q $dir/job.limn --pixel "$pixel" >$dir/out 2>&1
	grep -qF -- "$text" $dir/out || fail "$what: $(cat $dir/out)"
done

# The shader's steps: what was read and written.
build/limn run -q --model mali-400-mp1 userspace/tool/examples/textured.limn --pixel 128,128 >$dir/out
for text in "texture 0 at 0.753255 0.753255" "load.v ^discard.xy 0.xy, texld 0" '$0.xyzw = 0.5556641 0.5517578 0.3979492 1' \
	"colour 26 26 76 255 -> 142 141 101 255"; do
	grep -qF -- "$text" $dir/out || fail "textured: no '$text' in $(cat $dir/out)"
done

# The same of Vivante: red over blue on the right half, then again with one state.
job() {	# STATE of the second of two red rectangles from 8,0 to 16,16 of 16x16
	cat <<END
vivante
target 16 16 tiled
depth-buffer d24s8
clear color 0 0 1 1
clear depth 1
clear stencil 3
attribute 0 float2 { 0 -1  1 -1  0 1  1 1 }
attribute 1 float4 { repeat 4 { 1 0 0 1 } }
outputs position t0 float4 t1
vertex-shader {
	mov	t0, void, void, t0
	mov	t1, void, void, t1
}
fragment-shader {
	mov	t1, void, void, t1
}
depth less
draw triangle-strip 0 4
$1
draw triangle-strip 0 4
END
}
for model in gc2000 gc3000 gc7000l; do
	says "" 12,8 "draw 0, triangle 2 1 3, counter-clockwise" ": drawn" "colour 0 0 255 255 -> 255 0 0 255" "draw 1, triangle" ": failed the depth test" \
		"depth 00800000; the buffer's 00800000 -> 00800000, stencil 3 -> 3" "depth test: LESS, written: on, buffer: Z" "blend: off"
	says "depth greater read-only" 12,8 "depth test: GREATER, written: off, buffer: Z"
	says_alike
	says "depth always read-only
cull front" 12,8 ": culled: it shows the face that is not drawn"
	says "depth always read-only
attribute 0 float4 { 0 -1 0 -1  1 -1 0 -1  0 1 0 -1  1 1 0 -1 }" 3,8 "nothing drew here"
	says "depth always read-only
fragment-shader {
	texkill	void, void, void, void
	mov	t1, void, void, t1
}" 12,8 ": discarded by the shader" "texkill"
done
build/limn run -q --model gc2000 userspace/tool/examples/vivante/textured.limn --pixel 100,100 >$dir/out
for text in "texture 0 at 0.397895 4.80674 0 0 is 0.473537 0.301969 0.250987 1" "t1.xyzw = 0.4735369 0.3019693 0.2509868 1" \
	"colour 77 128 230 255 -> 121 77 64 255"; do
	grep -qF -- "$text" $dir/out || fail "vivante/textured: no '$text' in $(cat $dir/out)"
done

# The examples: the last colour of the history is the picture's.
for job in triangle textured blended stencil points-lines vivante/{triangle,textured,stencil,cube,sprites}; do
	scene=userspace/tool/examples/$job.limn
	case $job in vivante/*) model=gc2000 ;; *) model=mali-400-mp2 ;; esac
	build/limn run -q --model $model $scene -o $dir/plain.ppm || fail "$job"
	size=$(head -c 15 $dir/plain.ppm | sed -n 2p)
	width=${size% *}
	for pixel in 40,40 128,128 100,180 200,60 130,90; do
		build/limn run -q --model $model $scene -o $dir/watched.ppm --pixel $pixel >$dir/out || fail "$job $pixel"
		cmp $dir/plain.ppm $dir/watched.ppm || fail "$job: another picture with --pixel $pixel"
		last=$(sed -n 's/.*colour .* -> \([0-9]* [0-9]* [0-9]*\) .*/\1/p' $dir/out | tail -1)
		[ -n "$last" ] || continue
		is=$(tail -c +$(($(head -3 $dir/plain.ppm | wc -c) + 1 + 3 * (${pixel#*,} * width + ${pixel%,*}))) $dir/plain.ppm | od -An -v -tu1 -N3)
		[ "$(echo $is)" = "$last" ] || fail "$job: pixel $pixel is $is, its history ends with $last"
	done
done
exit $failed
