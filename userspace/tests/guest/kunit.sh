#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver limn --kernel debug
# The driver's KUnit tests, in the kernel that it is built for.
flavour=plain
case $(uname -r) in *debug*) flavour=debug ;; esac
module=build/modules-$flavour/drivers/gpu/drm/limn/limn_test.ko
[ -e "$module" ] || { echo "$module was not built"; exit 1; }
modprobe kunit enable=1 || { echo "no KUnit in this kernel"; exit 77; }
insmod "$module" || exit 1
log=$(dmesg | sed -n '/KTAP version 1/,$p')
rmmod limn_test
rmmod kunit
echo "$log"
grep -q '^\[[^]]*\] ok [0-9]* limn-utgard-frame' <<<"$log" &&
	grep -q '^\[[^]]*\] ok [0-9]* limn-utgard-pt' <<<"$log" &&
	grep -q '^\[[^]]*\] ok [0-9]* limn-submit' <<<"$log" && ! grep -q 'not ok' <<<"$log"
