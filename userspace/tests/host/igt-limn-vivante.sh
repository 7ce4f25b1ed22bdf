#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# The igt tests of the extension ABI on Vivante: an address space for each file on gc3000, one for all of them and
# two queues on imx6q, in the debug kernel; a job that is BLT's on gc7000l; what fails, hangs and goes also on
# gc2000. limn_madvise is for the plain kernel: when it unmaps a BO of another process, lockdep finds User
# Mode Linux' flush_tlb_mm() walking that process' areas without a lock.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
bad=0
others=$(sed -nE 's/^(limn_[a-z_]+)@.*/\1/p; s/^(limn_[a-z_]+)$/\1/p' igt-tests/lists/vivante | sort -u | grep -v '^limn_madvise$')
for gpu in gc3000 imx6q; do
	scripts/igt-run --gpu $gpu --driver limn --kernel debug --timeout 400 --ktap out/igt-limn-$gpu-debug.ktap \
		--junit out/igt-limn-$gpu-debug.xml $others || bad=1
	scripts/igt-run --gpu $gpu --driver limn limn_madvise || bad=1
done
scripts/igt-run --gpu gc2000 --driver limn --kernel debug --timeout 400 limn_sched limn_fail_nth limn_life || bad=1
scripts/igt-run --gpu gc7000l --driver limn limn_submit limn_perfmon limn_bo limn_ctx || bad=1
# By hand, without the module's parameters that igt-run gives.
scripts/testbed --gpu gc3000 -- sh -c 'build/igt-tests/limn_get_param && build/igt-tests/limn_life --run-subtest unbind-queued' || bad=1
exit $bad
