#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver limn --gpu gc2000 --strict
# testbed: --driver limn --gpu gc7000l --strict --seed 3
# testbed: --driver etnaviv --gpu gc2000 --strict
# testbed: --driver etnaviv --gpu gc7000l --strict --seed 5
# timeout: 300
# The Vivante examples by four clients at a time: each picture is what the in-process model
# draws for the same GPU.
set -u
. userspace/tests/lib/same.sh
node=/dev/dri/renderD128
model=$(build/limn info --device $node --json | sed 's/.*"model": "\(gc[0-9a-f]*\)".*/\1/')
[ "$model" != gc7000 ] || model=gc7000l
dir=$(mktemp -d)
status=0

jobs=$(grep -L '^vivante 2d' userspace/tool/examples/vivante/*.limn)

client() { # NUMBER
	for job in $jobs; do
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
for job in $jobs; do
	name=$(basename "$job" .limn).png
	build/limn run "$job" --model "$model" --frames 2 -o "$dir/model-$name" || status=1
	for i in 1 2 3 4; do
		same "$dir/model-$name" "$dir/$i-$name" || status=1
	done
done
rm -rf "$dir"
exit $status
