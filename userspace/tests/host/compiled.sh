#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# GLSL through Mesa's compilers and limn exec, against the same GLSL as C++ (userspace/tests/compiled), and as many
# random programs as FUZZ_RUNS says, of FUZZ_SEED (make fuzz-glsl).
set -u
dir=out/check/compiled.d
rm -rf $dir
mkdir -p $dir

mesa=$(scripts/mesa-build) || exit $?
flock scripts/mesa.mk make -s build/limn build/panfrost-compile build/gl-compile build/mesa-client build/mesa-one-core.so MESA="$mesa" || exit 1
glm=()
if [ ! -e /usr/include/glm/glm.hpp ]; then
	scripts/debian/apt "$(dpkg --print-architecture)" extract $dir libglm-dev || exit 77
	glm=(--glm $dir/usr/include)
fi
python3 userspace/tests/compiled/random_glsl.py --seed "${FUZZ_SEED:-1}" --count "${FUZZ_RUNS:-12}" $dir/random || exit 1
options=("${glm[@]}" --random $dir/random)

status=0
# What the compilers of panfrost-compile emit for userspace/tests/mesa/glsl: every op there is to be in a program here.
run_panfrost() {	# SET GPU
	local program name emitted=()
	for program in userspace/tests/mesa/glsl/*.frag userspace/tests/mesa/glsl/*.comp; do
		name=$(basename "${program%.*}")
		build/panfrost-compile "$2" "${name#*.}" "${program%.*}".* >$dir/"$2"."$name".txt 2>>$dir/panfrost.err || status=1
		emitted+=(--emitted $dir/"$2"."$name".txt)
	done
	python3 userspace/tests/compiled/compiled.py --set "$1" --compiler build/panfrost-compile --gpu "$2" "${options[@]}" \
		"${emitted[@]}" || status=1
}

# The newest Midgard, and the oldest.
run_panfrost midgard 0x860
run_panfrost midgard 0x600
# Bifrost v7 and v6.
run_panfrost bifrost 0x7212
run_panfrost bifrost 0x6000

# What etnaviv compiles for the scenes and for its part of userspace/tests/mesa/glsl: the same. GC2000 has no
# integers; GLSL ES 3.00 and 3.10 are there only when Mesa is told to.
for gpu in GC2000 GC3000 GC7000L; do
	etnaviv="env LD_LIBRARY_PATH=$mesa/lib MESA_LOADER_DRIVER_OVERRIDE=etnaviv MESA_SHADER_CACHE_DISABLE=true
		LD_PRELOAD=$PWD/build/mesa-one-core.so:$mesa/lib/libetnaviv_noop_drm_shim.so MESA_GLES_VERSION_OVERRIDE=3.1
		ETNA_SHIM_GPU=$gpu ETNA_MESA_DEBUG=dump_shaders"
	# Some scenes ask for what the chip does not have and give up.
	$etnaviv build/mesa-client --timeout 60 $dir/pictures >$dir/$gpu.txt 2>$dir/$gpu.err
	for program in float flow; do
		$etnaviv build/gl-compile 100 userspace/tests/mesa/glsl/$program.100.vert userspace/tests/mesa/glsl/$program.100.frag \
			>>$dir/$gpu.txt 2>>$dir/$gpu.err || status=1
	done
	python3 userspace/tests/compiled/compiled.py --set vivante --compiler "$etnaviv build/gl-compile" --gpu $gpu "${options[@]}" \
		--emitted $dir/$gpu.txt || status=1
done

# What lima's two compilers make of the same. Its shim never signals a fence, which ends the scenes that wait for one.
lima="env LD_LIBRARY_PATH=$mesa/lib MESA_LOADER_DRIVER_OVERRIDE=lima MESA_SHADER_CACHE_DISABLE=true
	LD_PRELOAD=$mesa/lib/liblima_noop_drm_shim.so LIMA_DEBUG=gp,pp timeout 60"
$lima build/mesa-client --timeout 60 $dir/pictures >$dir/lima.txt 2>$dir/lima.err
python3 userspace/tests/compiled/compiled.py --set utgard --compiler "$lima build/gl-compile" "${options[@]}" \
	--emitted $dir/lima.txt || status=1
exit $status
