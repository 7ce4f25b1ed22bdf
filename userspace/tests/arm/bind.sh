#!/bin/sh
# SPDX-License-Identifier: MIT
# On a board: the driver comes and goes, by module and by device, and the job given still draws the
# same picture:	bind.sh JOB ALIAS-PART
job=$1
node=/dev/dri/renderD128

draw() {
	limn run "$job" --device $node -o "out/$1.png" >/dev/null && cmp out/first.png "out/$1.png"
}
comes() {
	for i in $(seq 50); do
		[ ! -e $node ] || return 0
		sleep 0.1
	done
	echo "bind: no $node after $1"
	return 1
}

limn run "$job" --device $node -o out/first.png >/dev/null || exit
device=$(readlink -f /sys/class/drm/renderD128/device)
driver=$(readlink -f "$device/driver")
module=$(basename "$(readlink -f "$driver/module")")
for i in 1 2 3; do
	echo "${device##*/}" >"$driver/unbind" || exit
	[ ! -e $node ] || { echo "bind: unbound, and still a node"; exit 1; }
	echo "${device##*/}" >"$driver/bind" || exit
	comes bind && draw bound || exit
done
for i in 1 2 3; do
	rmmod "$module" || exit
	[ ! -e $node ] || { echo "bind: no module, and still a node"; exit 1; }
	for alias in $(find /sys/devices/platform -name modalias -exec grep -hE "^of:.*$2" {} + | sort -u); do
		modprobe "$alias" || exit
	done
	comes modprobe && draw loaded || exit
done
rm -f out/bound.png out/loaded.png
