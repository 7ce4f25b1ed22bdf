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
run() {	# SET COMPILER GPU
	python3 userspace/tests/compiled/compiled.py --set "$1" --compiler "$2" --gpu "$3" "${glm[@]}" || status=1
}

# The newest Midgard, and the oldest.
run midgard build/panfrost-compile 0x860
run midgard build/panfrost-compile 0x600
exit $status
