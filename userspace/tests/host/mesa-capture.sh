#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# Frames of unmodified Mesa, captured on the mainline drivers, are the same bytes when the model or limn.ko replays
# them. Debian's programs: make check-clients. Mesa is built by host/mesa; where it cannot be had this is skipped.
set -u
dir=out/check/mesa-capture.d
rm -rf $dir
mkdir -p $dir
scripts/mesa-build >$dir/mesa || exit $?
mesa=$(cat $dir/mesa)
flock scripts/mesa.mk make -s build/mesa-client build/limn build/liblimn-capture.so MESA="$mesa" || exit 1

replays() {	# GPU DRIVER SCENE...
	local gpu=$1 driver=$2
	shift 2
	scripts/testbed --gpu "$gpu" --driver "$driver" --memory 1024 -- env LD_LIBRARY_PATH="$mesa/lib" \
		MESA_SHADER_CACHE_DISABLE=true build/limn capture -o "$dir/$gpu" -- build/mesa-client --jobs 2 "$dir" "$@" \
		>"$dir/$gpu.log" 2>&1 || { cat "$dir/$gpu.log"; exit 1; }
	grep -a "slower by" "$dir/$gpu.log"
	build/limn replay "$dir/$gpu" >"$dir/$gpu.out" && grep "results, .* as recorded" "$dir/$gpu.out" ||
		{ echo "FAIL: $gpu, $driver: $(cat "$dir/$gpu.out")"; exit 1; }
	scripts/testbed --gpu "$gpu" --driver limn --memory 1024 -- build/limn replay "$dir/$gpu" --device /dev/dri/renderD128 \
		>"$dir/$gpu.out" 2>&1 && grep "results, .* as recorded" "$dir/$gpu.out" ||
		{ echo "FAIL: $gpu, $driver's on limn.ko: $(cat "$dir/$gpu.out")"; exit 1; }
}

replays mali-400-mp2 lima clear triangle cube textured
replays mali-400-mp2 limn v_no_attribute
replays gc2000 etnaviv clear triangle cube
replays gc7000l etnaviv triangle
