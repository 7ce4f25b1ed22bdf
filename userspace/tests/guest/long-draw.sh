#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver limn --gpu gc2000
# testbed: --driver limn --gpu gc7000l
# timeout: 400
# One draw that takes several of a job's periods of 500 ms while FE stands still is not killed: one that
# writes pixels, and one that writes none and only computes. Those that hang are killed all the same.
set -u
node=/dev/dri/renderD128
trace=/sys/kernel/tracing
mountpoint -q $trace || mount -t tracefs tracefs $trace || exit 77
echo 1 >$trace/events/limn/limn_job_slow/enable || exit 1
dir=$(mktemp -d)
status=0

job() { # ROUNDS COLOR-MASK: of a loop, for each of 65536 pixels
	cat <<-EOT
	vivante
	target 256 256 tiled
	clear color 0 0 0 1
	attribute 0 float2 { -1 -1  1 -1  -1 1  1 1 }
	outputs position t0
	color-mask $2
	vertex-shader {
		mov	t0, void, void, t0
	}
	fragment-shader {
		mov	t1.x___, void, void, u0.xxxx
	again:	add	t1.x___, t1.xxxx, void, u0.yyyy
		branch.lt	void, t1.xxxx, u0.zzzz, again
		mov	t1, void, void, u1
	}
	fragment-uniforms { 0 1 $1 0  0 1 0 1 }
	draw triangle-strip 0 4
	EOT
}

draw() { # MASK ROUNDS: periods that it was given more, in $periods
	echo >$trace/trace
	job "$2" "$1" >"$dir/job.limn"
	build/limn run "$dir/job.limn" --device $node -o "$dir/$1-$2.png" || return 1
	periods=$(grep -c limn_job_slow: $trace/trace) || true
}

# A host of any speed: more rounds until the time was over three times.
for mask in rgba none; do
	rounds=1
	while draw $mask $rounds && [ "$periods" -lt 3 ]; do
		rounds=$((rounds * 2))
	done
	echo "$mask: $rounds rounds: $periods periods more"
	[ "$periods" -ge 3 ] && cmp "$dir/$mask-1.png" "$dir/$mask-$rounds.png" || status=1
done

# A shader that never ends finishes no pixel, and a hang moves nothing at all.
job 1 rgba | sed 's/0 1 1 0  0 1 0 1/0 0 1 0  0 1 0 1/' >"$dir/endless.limn"
for bad in "$dir/endless.limn" userspace/tests/jobs/vivante/hang.limn; do
	if build/limn run "$bad" --device $node -o "$dir/bad.png" 2>"$dir/error"; then
		echo "${bad##*/} was not killed"
		status=1
	fi
	cat "$dir/error"
	grep -q "did not end in time" "$dir/error" || status=1
done
draw none 1 || status=1
rm -rf "$dir"
exit $status
