#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver etnaviv --gpu imx6q --strict
# testbed: --driver limn --gpu imx6q --strict
# testbed: --driver limn --gpu imx6q --strict --kernel=kasan
# The three cores of an i.MX6Q: 3D and 2D become one device, the vector core (FE 2.0) is read and
# left alone, by mainline etnaviv.ko and by limn.ko alike.
set -u
failed=0
for core in GC2000 GC320 GC355; do
	dmesg | grep -q "\b$core\b" || { echo "FAILED: $core was not identified"; failed=1; }
done
dmesg | grep -Eq "Ignoring GPU with VG and FE2.0|GC355 is a vector core" || { echo "FAILED: nothing says that GC355 is left out"; failed=1; }
[ "$(echo /sys/class/drm/renderD*)" = /sys/class/drm/renderD128 ] || { echo "FAILED: $(echo /sys/class/drm/*)"; failed=1; }
dir=$(mktemp -d)
for job in triangle fill; do
	build/limn run "userspace/tool/examples/vivante/$job.limn" -o "$dir/$job.png" || failed=1
done
# The core that nobody drives has its clocks off like the others when nothing is to be done.
for _ in $(seq 100); do
	grep -qv suspended /sys/bus/platform/devices/e000?000.gpu/power/runtime_status || break
	sleep 0.1
done
if grep -qv suspended /sys/bus/platform/devices/e000?000.gpu/power/runtime_status; then
	grep . /sys/bus/platform/devices/e000?000.gpu/power/runtime_status
	echo "FAILED: a core stays awake"
	failed=1
fi
exit $failed
