#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# GLSL through Mesa's compilers and limn exec, against the same GLSL as C++ (userspace/tests/compiled).
set -u
dir=out/check/compiled.d
rm -rf $dir
mkdir -p $dir

mesa=$(scripts/mesa-build) || exit $?
make -s build/limn build/panfrost-compile MESA="$mesa" || exit 1
glm=()
if [ ! -e /usr/include/glm/glm.hpp ]; then
	scripts/debian/apt "$(dpkg --print-architecture)" extract $dir libglm-dev || exit 77
	glm=(--glm $dir/usr/include)
fi

status=0
# What the compilers of panfrost-compile emit for userspace/tests/mesa/glsl: every op there is to be in a program here.
run_panfrost() {	# SET GPU
	local program name emitted=()
	for program in userspace/tests/mesa/glsl/*.frag userspace/tests/mesa/glsl/*.comp; do
		name=$(basename "${program%.*}")
		build/panfrost-compile "$2" "${name#*.}" "${program%.*}".* >$dir/"$2"."$name".txt 2>>$dir/panfrost.err || status=1
		emitted+=(--emitted $dir/"$2"."$name".txt)
	done
	python3 userspace/tests/compiled/compiled.py --set "$1" --compiler build/panfrost-compile --gpu "$2" "${glm[@]}" \
		"${emitted[@]}" || status=1
}

# The newest Midgard, and the oldest.
run_panfrost midgard 0x860
run_panfrost midgard 0x600
exit $status
