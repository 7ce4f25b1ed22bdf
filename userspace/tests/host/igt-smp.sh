#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# The quick igt tests on four CPUs of the newest kernel, with KASAN and lockdep, the model strict; all of
# them are in make check-smp. Skips where the archive has no such kernel.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
scripts/kernel/source smp >/dev/null
case $? in
0) ;;
77) echo "the archive has no newer kernel's source"; exit 77 ;;
*) exit 1 ;;
esac
bad=0
scripts/igt-run --kernel smp --strict --list igt-tests/lists/fast || bad=1
scripts/igt-run --kernel smp --gpu gc3000 --timeout 600 etnaviv_submit etnaviv_get limn_submit@frame || bad=1
exit $bad
