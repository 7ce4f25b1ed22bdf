#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver limn --gpu gc2000
# testbed: --driver limn --gpu gc3000
# testbed: --driver limn --gpu gc7000l
# timeout: 300
# A client whose streams leave some states out draws nothing of what the client before it had there: uniforms,
# instructions, addresses of textures, clear values of tile status. Each job draws red for the first client and
# blue for the second, which draws blue as long as it loads everything.
set -u
dir=$(mktemp -d)
status=0
cc -shared -fPIC -O1 -Wall -Wextra -Werror -Iinclude -Ibuild/include -I/usr/include/libdrm -o "$dir/strip.so" userspace/tests/guest/lib/strip-states.c ||
	exit 1

head='vivante
target 64 64 supertiled'
quad='attribute 0 float2 { -1 -1   1 -1   -1 1   1 1 }
outputs position t0
vertex-shader {
	mov	t0, void, void, t0
}'
last='draw triangle-strip 0 4'

uniforms() {	# RED BLUE
	printf '%s\n' "$head" "clear color 0 1 0 1" "$quad" "fragment-uniforms { $1 0 $2 1 }" \
		"fragment-shader {" "	mov	t1, void, void, u0" "}" "$last"
}
instructions() {
	printf '%s\n' "$head" "clear color 0 1 0 1" "$quad" "fragment-uniforms { 0 0 1 1  1 0 0 1 }" \
		"fragment-shader {" "	mov	t1, void, void, u$1" "}" "$last"
}
textures() {
	printf '%s\n' "$head" "clear color 0 1 0 1" "texture 0 rgba8888 16 16 tiled solid $1 0 $2 1" \
		"sampler 0 min nearest mag nearest mip none wrap repeat" \
		"attribute 0 float2 { -1 -1   1 -1   -1 1   1 1 }" "attribute 1 float2 { 0 0   1 0   0 1   1 1 }" \
		"outputs position t0 float2 t1" \
		"vertex-shader {" "	mov	t0, void, void, t0" "	mov	t1, void, void, t1" "}" \
		"fragment-shader {" "	texld	t1, tex0, t1, void, void" "}" "$last"
}
tile_status() {
	printf '%s\n' "$head" "fast-clear on" "clear color $1 0 $2 1" \
		"attribute 0 float2 { -1 -1   -0.9 -1   -1 -0.9   -0.9 -0.9 }" "outputs position t0" \
		"vertex-shader {" "	mov	t0, void, void, t0" "}" "fragment-uniforms { 0 1 0 1 }" \
		"fragment-shader {" "	mov	t1, void, void, u0" "}" "$last"
}

# The pixel in the middle of the picture that the job draws, as RRGGBB; or what went wrong.
middle() {	# KIND RED BLUE [STATES]
	"$1" "$2" "$3" >"$dir/job.limn"
	LD_PRELOAD=${4:+$dir/strip.so} LIMN_STRIP=${4-} build/limn run "$dir/job.limn" --device /dev/dri/renderD128 -q \
		-o "$dir/out.ppm" >"$dir/log" 2>&1 || { echo "failed: $(head -1 "$dir/log")"; return; }
	tail -c $((64 * 64 * 3)) "$dir/out.ppm" | od -An -v -tx1 -j $(((32 * 64 + 32) * 3)) -N 3 | tr -d ' \n'
}

leaves_out() {	# KIND STATES [OWN]: also right when OWN
	local first second stripped
	first=$(middle "$1" 1 0)
	second=$(middle "$1" 0 1)
	first=$(middle "$1" 1 0)
	stripped=$(middle "$1" 0 1 "$2")
	echo "$1: $first, then $second; without its states after the first: $stripped"
	if [ "$first" != ff0000 ] || [ "$second" != 0000ff ]; then
		echo "$1: the jobs are not what they should be"
		status=1
	elif [[ $stripped != 000000 && $stripped != failed* && $stripped != "${3-}" ]]; then
		echo "$1: what nobody loaded is what the client before had there"
		status=1
	fi
}

leaves_out uniforms 5000-5fff,7000-7fff,30000-31fff,36000-37fff
leaves_out instructions 4000-4fff,6000-6fff,8000-bfff,c000-ffff,86c-86c,1028-1028
leaves_out textures 2400-27ff,10800-10fff,15800-15fff
# BLT marks no tile whose clear value is not that of its clear: it writes the client's own colour to memory.
leaves_out tile_status 1660-1660,16bc-16bc,1a00-1a3f,14034-14040 $(build/limn info | grep -q GC7000 && echo 0000ff)
rm -rf "$dir"
exit $status
