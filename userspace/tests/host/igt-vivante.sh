#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 5400
# The igt tests of the etnaviv ABI on limn.ko: every GPU in the plain kernel; both kinds of MMU in the debug kernel too.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
bad=0
for gpu in gc2000 gc3000; do
	scripts/igt-run --gpu $gpu --driver limn --kernel debug --timeout 1200 --ktap out/igt-$gpu-debug.ktap etnaviv_ || bad=1
done
for gpu in $(build/limn info --models | grep -v ^mali); do
	scripts/igt-run --gpu $gpu --driver limn --ktap out/igt-$gpu.ktap etnaviv_ || bad=1
done
exit $bad
