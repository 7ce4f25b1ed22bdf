#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# The igt tests of the extension ABI on Vivante: an address space for each file on gc3000, with KASAN the short ones, one
# for all of them and two queues on imx6q; a job that is BLT's on gc7000l; what fails, hangs and goes also on gc2000.
# All with KASAN: make check-debug, make check-smp.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
read -ra kasan < <(scripts/kernel/kasan) || exit 1
bad=0
for gpu in gc3000 imx6q; do
	scripts/igt-run --gpu $gpu --driver limn --timeout 400 --ktap out/igt-limn-$gpu.ktap --junit out/igt-limn-$gpu.xml limn_ || bad=1
done
scripts/igt-run --gpu gc3000 --driver limn "${kasan[@]}" --timeout 400 limn_fail_nth limn_ctx limn_bo limn_prime limn_userptr \
	limn_submit limn_wild || bad=1
scripts/igt-run --gpu gc2000 --driver limn "${kasan[@]}" --timeout 400 limn_sched limn_fail_nth@ limn_life@unbind || bad=1
scripts/igt-run --gpu gc7000l --driver limn limn_submit limn_perfmon limn_bo limn_ctx || bad=1
# By hand, without the module's parameters that igt-run gives.
scripts/testbed --gpu gc3000 -- sh -c 'build/igt-tests/limn_get_param && build/igt-tests/limn_life --run-subtest unbind-queued' || bad=1
exit $bad
