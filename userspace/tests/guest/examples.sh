#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --kernel=kasan --driver limn --gpu mali-400-mp4 --strict
# testbed: --kernel=kasan --driver limn --gpu mali-400-mp1 --strict --seed 5
# timeout: 300
# The examples by four clients at a time in the debug kernel: each picture is what the
# in-process model draws for the same number of cores.
set -u
. userspace/tests/lib/same.sh
node=/dev/dri/renderD128
cores=$(build/limn info --device $node --json | sed 's/.*"pp_cores": \([0-9]*\).*/\1/')
dir=$(mktemp -d)
status=0

client() { # NUMBER
	for job in userspace/tool/examples/*.limn; do
		build/limn run "$job" --device $node --frames 2 -o "$dir/$1-$(basename "$job" .limn).png" || return 1
	done
}

pids=()
for i in 1 2 3 4; do
	client $i &
	pids+=($!)
done
for pid in "${pids[@]}"; do
	wait "$pid" || status=1
done
for job in userspace/tool/examples/*.limn; do
	name=$(basename "$job" .limn).png
	build/limn run "$job" --model "mali-400-mp$cores" --frames 2 -o "$dir/model-$name" || status=1
	for i in 1 2 3 4; do
		same "$dir/model-$name" "$dir/$i-$name" || status=1
	done
done
rm -rf "$dir"
exit $status
