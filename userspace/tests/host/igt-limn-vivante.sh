#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# The igt tests of the extension ABI on Vivante in the debug kernel: an address space for each file on gc3000,
# one for all of them and two queues on imx6q. In the plain kernel where the job is BLT's.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
bad=0
for gpu in gc3000 imx6q; do
	scripts/igt-run --gpu $gpu --driver limn --kernel debug --timeout 400 --ktap out/igt-limn-$gpu-debug.ktap \
		--junit out/igt-limn-$gpu-debug.xml limn_ || bad=1
done
scripts/igt-run --gpu gc7000l --driver limn limn_submit limn_perfmon limn_bo limn_ctx || bad=1
exit $bad
