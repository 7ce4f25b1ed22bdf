#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver limn --kernel=kasan
# The driver's KUnit tests, in the kernel that it is built for.
flavour=$(uname -r)
case $flavour in *-limn-*) flavour=${flavour##*-} ;; *) flavour=plain ;; esac
module=build/modules-$flavour/drivers/gpu/drm/limn/limn_test.ko
[ -e "$module" ] || { echo "$module was not built"; exit 1; }
# Newer kernels ask for autorun, older ones do not know it.
modprobe kunit enable=1 autorun=1 || { echo "no KUnit in this kernel"; exit 77; }
insmod "$module" || exit 1
log=$(dmesg | sed -n '/KTAP version 1/,$p')
rmmod limn_test
rmmod kunit
echo "$log"
for suite in limn-utgard-frame limn-utgard-pt limn-submit limn-sync limn-vivante-chips limn-vivante-mmu limn-vivante-ring limn-vivante-stream; do
	grep -q "^\[[^]]*\] ok [0-9]* $suite" <<<"$log" || { echo "$suite: no result, or a bad one"; exit 1; }
done
! grep -q 'not ok' <<<"$log"
