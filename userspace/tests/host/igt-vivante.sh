#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# The igt tests of the etnaviv ABI on limn.ko: each kind of MMU in the debug kernel, the other GPUs in the plain one.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
bad=0
for gpu in gc2000 gc3000; do
	scripts/igt-run --gpu $gpu --driver limn --kernel debug --ktap out/igt-$gpu-debug.ktap || bad=1
done
for gpu in gc880 gc7000l gc320 imx6q; do
	scripts/igt-run --gpu $gpu --driver limn --ktap out/igt-$gpu.ktap || bad=1
done
exit $bad
