#!/bin/bash
# SPDX-License-Identifier: MIT
# In the guest, called by host/bad-device-tree.sh with three words for each GPU of the device
# tree: NODE ERROR PATTERN. Binds limn to each 100 times, and loads it 5 times. Each time it must
# fail with ERROR (as a shell prints an errno) and say one line that matches PATTERN; or, when
# ERROR is "works", give a render node. What the kernel holds must be the same before and after.
set -u
binds=${LIMN_PROBES:-100}
loads=5
driver=/sys/bus/platform/drivers/limn
errors=/run/errors
flavour=$(uname -r)
case $flavour in *-limn-*) flavour=${flavour##*-} ;; *) flavour=plain ;; esac
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

# Nothing below forks once for each attempt: that is what costs in this kernel.
device_of() { # NODE
	local path

	for path in /sys/bus/platform/devices/*; do
		case $path in
		*/"$1@"* | *."$1") device=${path##*/}; return ;;
		esac
	done
	fail "no device of node $1"
}

bound() {
	compgen -G "/sys/class/drm/renderD*" >/dev/null
}

# All that a probe takes, and a little more.
holdings() {
	grep -H . /sys/kernel/debug/clk/gpu-*/clk_*_count \
		/sys/bus/platform/devices/*/power/runtime_{status,usage}
	awk '{ print $1, $NF }' /proc/interrupts
	cat /proc/iomem /sys/kernel/debug/devices_deferred /sys/module/limn/refcnt
	cat /sys/kernel/debug/dma-api/num_free_entries 2>/dev/null
	ls /dev/dri /sys/class/drm /sys/class/devfreq /sys/class/thermal /sys/kernel/debug/dri 2>&1
}

# One warning or error for each attempt; the line that the driver core adds for most is not ours.
check_log() { # NODE ATTEMPTS PATTERN
	local lines good

	lines=$(dmesg -r | grep -E '^<[0-4]>' | grep -E "limn [0-9a-f.]*$1(@[0-9a-f]+)?: " | grep -v 'probe with driver limn failed with error')
	good=$(grep -cE "$3" <<<"$lines")
	[ "$good" = "$2" ] && [ "$(wc -l <<<"$lines")" = "$2" ] ||
		fail "$1: wanted $2 lines like '$3', got: $(sed 's/.*\] //' <<<"$lines" | sort | uniq -c)"
	echo "$1: ${lines##*] }"
}

try() { # NODE ERROR PATTERN
	local i status

	device_of "$1"
	dmesg -C
	: >$errors
	for ((i = 0; i < binds; i++)); do
		echo "$device" 2>>$errors >$driver/bind
		status=$?
		if [ "$2" = works ]; then
			[ $status = 0 ] && bound || fail "$1: is not bound"
			echo "$device" >$driver/unbind
		elif [ $status = 0 ]; then
			fail "$1: was bound"
			echo "$device" >$driver/unbind
		fi
	done
	[ "$2" = works ] && return
	[ "$(grep -cE ": ($2)\$" $errors)" = $binds ] || fail "$1: wanted '$2', got: $(sort $errors | uniq -c)"
	check_log "$1" $binds "$3"
}

# The first attempt was when the module was loaded.
! bound || { device_of "$1"; echo "$device" >$driver/unbind; }
before=$(holdings)
cases=("$@")
while [ $# -ge 3 ]; do
	try "$1" "$2" "$3"
	shift 3
done
dmesg -C
for ((i = 0; i < loads; i++)); do
	rmmod limn && insmod "build/modules-$flavour/limn.ko" || fail "cannot load it again"
	! bound || echo "$device" >$driver/unbind
done
set -- "${cases[@]}"
while [ $# -ge 3 ]; do
	[ "$2" = works ] || check_log "$1" $loads "$3"
	shift 3
done
diff <(echo "$before") <(holdings) || fail "something stays"
exit $failed
