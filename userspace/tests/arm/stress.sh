#!/bin/sh
# SPDX-License-Identifier: MIT
# On a board: eight clients that draw different jobs, each now and then killed at a random moment; what
# was drawn to the end is right:	stress.sh SECONDS SEED JOB...
seconds=$1
seed=$2
shift 2
node=/dev/dri/renderD128
dir=/tmp/stress
mkdir -p $dir
for job; do
	limn run "$job" --device $node -o "$dir/right-$(basename "$job" .limn).png" >/dev/null || exit
done

client() { # NUMBER JOB...: until it is told to stop
	me=$1
	shift
	drawn=0
	random=$((seed * 7919 + me * 104729))
	while [ ! -e $dir/stop ]; do
		for job; do
			random=$(((random * 1103515245 + 12345) & 0x7fffffff))
			picture=$dir/$me.png
			if [ $((random >> 16 & 3)) = 0 ]; then
				# From 0 to 0.25 s: in the middle of something.
				limn run "$job" --device $node --frames 100000 -o "$picture" >/dev/null 2>&1 &
				usleep $((random & 0x3ffff))
				kill -9 $!
				wait $! 2>/dev/null
				continue
			fi
			limn run "$job" --device $node -o "$picture" >/dev/null || { echo "stress: client $me: $job: status $?"; return 1; }
			cmp "$dir/right-$(basename "$job" .limn).png" "$picture" || { echo "stress: client $me: $job: another picture"; return 1; }
			drawn=$((drawn + 1))
		done
	done
	echo "stress: client $me drew $drawn pictures"
	[ $drawn -gt 0 ]
}

pids=
for i in 1 2 3 4 5 6 7 8; do
	client $i "$@" &
	pids="$pids $!"
	# Each begins with another job.
	first=$1
	shift
	set -- "$@" "$first"
done
sleep "$seconds"
touch $dir/stop
status=0
for pid in $pids; do
	wait "$pid" || status=1
done
echo "stress: seed $seed, $seconds s, $(nproc) CPUs"
exit $status
