#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# The igt tests of the etnaviv ABI on limn.ko: every GPU in the plain kernel; both kinds of MMU in the debug kernel too.
#
# etnaviv_hang is left out there: now and then a task's stack of 16 KiB, which KASAN and lockdep nearly fill, overflows
# under an interrupt (thread_info is overwritten). To be taken in again when that kernel has larger stacks.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
bad=0
for gpu in gc2000 gc3000; do
	scripts/igt-run --gpu $gpu --driver limn --kernel debug --ktap out/igt-$gpu-debug.ktap \
		etnaviv_ioctls etnaviv_submit etnaviv_fail_nth || bad=1
done
for gpu in gc2000 gc3000 gc880 gc7000l gc320 imx6q; do
	scripts/igt-run --gpu $gpu --driver limn --ktap out/igt-$gpu.ktap || bad=1
done
exit $bad
