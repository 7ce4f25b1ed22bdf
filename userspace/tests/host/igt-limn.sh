#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# Every igt test on limn.ko in the plain kernel, and with KASAN the short ones on lifetimes and failed allocations (the
# quick list: host/igt-smp; all: make check-debug, make check-smp); what fails is printed as BINARY@SUBTEST.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
read -ra kasan < <(scripts/kernel/kasan) || exit 1
bad=0
scripts/igt-run --driver limn --ktap out/igt-limn.ktap --junit out/igt-limn.xml || bad=1
scripts/igt-run --driver limn "${kasan[@]}" --ktap out/igt-limn-kasan.ktap fail_nth lima_unbind lima_lifetime limn_ctx limn_bo \
	limn_prime limn_userptr limn_sched limn_reset || bad=1
exit $bad
