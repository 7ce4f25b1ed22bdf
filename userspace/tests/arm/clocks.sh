#!/bin/sh
# SPDX-License-Identifier: MIT
# On a board whose kernel has iomem=relaxed: what the clock unit does to the GPU, past the driver.
#	clocks.sh BOARD gates JOB	every gate and reset closed and opened while the GPU is awake and idle
#	clocks.sh BOARD dead JOB	a gate closed under a job: the driver ends it; with the clock back the GPU is too
# The caller looks at what the strict model said. Addresses and bits: limn_boards.c has the source.
board=$1
what=$2
job=$3
node=/dev/dri/renderD128

# Of each gate: register of the clock unit, its bits; a register of a GPU, what it reads and under which mask.
case $board in
orangepi-pc)
	gates="
		bus	0x01c20064 0x00100000	0x01c4006c 0x0b070000 0xffff0000
		core	0x01c201a0 0x80000000	0x01c49000 0xcd070000 0xffff0000
		pll	0x01c20038 0x80000000	0x01c4b000 0xcd070000 0xffff0000
		reset	0x01c202c4 0x00100000	0x01c41004 0x06100206 0xffffffff"
	;;
sabrelite)
	gates="
		3d	0x020c406c 0x0c000000	0x00130020 0x00002000 0xffffffff
		2d	0x020c406c 0x03000000	0x00134020 0x00000320 0xffffffff"
	;;
esac

fail() {
	echo "clocks: $*"
	exit 1
}
draw() { # NAME
	limn run "$job" --device $node -o "out/$1.png" >/dev/null && cmp out/first.png "out/$1.png"
}
closed() { # REGISTER BITS
	[ $(($(devmem "$1") & $2)) = 0 ]
}
close() {
	devmem "$1" 32 $(($(devmem "$1") & ~$2 & 0xffffffff))
	closed "$1" "$2" || fail "$1 does not close"
}
open() {
	devmem "$1" 32 $(($(devmem "$1") | $2))
}
awake() { # on or auto, for every GPU
	for control in /sys/bus/platform/drivers/limn/*/power/control; do
		echo "$1" >"$control"
	done
}

queues() {
	cat /sys/kernel/debug/dri/128/queues
}

asleep() { # what it wakes up from is a GPU whose state the driver sets anew
	awake auto
	for _ in $(seq 50); do
		grep -q active /sys/bus/platform/drivers/limn/*/power/runtime_status || break
		sleep 0.1
	done
}

gates() {
	awake on
	echo "$gates" | while read -r name unit bits register value mask; do
		[ -n "$name" ] || continue
		[ $(($(devmem "$register") & mask)) = $((value)) ] || fail "$name: $register reads $(devmem "$register")"
		close "$unit" "$bits"
		# A read that is answered, and a write that is not: see the model's report.
		dead=$(devmem "$register")
		devmem $((register + 4)) 32 $((bits))
		[ $((dead & mask)) != $((value)) ] || fail "$name: closed, and $register still reads $dead"
		open "$unit" "$bits"
		# Behind a reset the PMU keeps the blocks off until the driver wakes them up.
		[ "$name" = reset ] || [ $(($(devmem "$register") & mask)) = $((value)) ] ||
			fail "$name: open again, and $register reads $(devmem "$register")"
		echo "clocks: $name: $register reads $dead"
	done || exit
	asleep
}

dead() {
	awake on
	limn run "$job" --device $node --frames 1000000 -o /tmp/dead.png >/tmp/dead.log 2>&1 &
	sleep 1
	# shellcheck disable=SC2086
	set -- $gates
	close "$2" "$3"
	wait $! && fail "the job ended well on a dead GPU"
	sleep 1
	# Its clock stands still, not the GPU: what it will go on with must not be somebody else's then.
	queues
	[ "$board" != sabrelite ] || queues | grep -q "could not be reset), 1 jobs" ||
		fail "the memory of a GPU that stopped in the middle was given back"
	# A driver that resets clocks and all opens it again; one that takes garbage for an idle GPU does not.
	closed "$2" "$3" && open "$2" "$3"
	asleep
	tail -n 3 /tmp/dead.log
	dmesg | grep limn | tail -n 5
}

limn run "$job" --device $node -o out/first.png >/dev/null || exit
$what
draw again || fail "no picture after that"
sleep 1
queues | grep -q "reset)\|[1-9][0-9]* jobs" && fail "jobs that are never given back: $(queues)"
rm -f out/*.png
echo "clocks: all as it should be"
