#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
# Every example, and a few jobs at the edges, on mainline lima.ko, on limn.ko and on the
# in-process model give the same bytes, for each number of cores. Can be chosen: DRIVERS,
# GPUS, SEED.
set -u
drivers=${DRIVERS:-lima limn}
gpus=${GPUS:-$(build/limn info --models | grep ^mali | xargs)}
seed=${SEED:-1}
dir=out/check/referee
rm -rf "$dir"
failed=0 compared=0
echo "seed $seed"

jobs=(userspace/tool/examples/*.limn userspace/tests/jobs/{clear,one-pixel,large}.limn)
for gpu in $gpus; do
	mkdir -p "$dir/$gpu/model"
	for job in "${jobs[@]}"; do
		out=$dir/$gpu/model/$(basename "$job" .limn).png
		build/limn run "$job" --model "$gpu" --strict --seed "$seed" -o "$out" || failed=1
	done
	for driver in $drivers; do
		mkdir -p "$dir/$gpu/$driver"
		scripts/testbed --gpu "$gpu" --driver "$driver" --strict --seed "$seed" -- sh -c "
			status=0
			for job in ${jobs[*]}; do
				build/limn run \$job --device /dev/dri/renderD128 -o $dir/$gpu/$driver/\$(basename \$job .limn).png || status=1
			done
			exit \$status" || { echo "FAILED: $gpu, $driver.ko: status $?"; failed=1; }
		for job in "${jobs[@]}"; do
			name=$(basename "$job" .limn).png
			compared=$((compared + 1))
			cmp "$dir/$gpu/model/$name" "$dir/$gpu/$driver/$name" || failed=1
		done
	done
done

# Cores share the tiles; that must not show.
for gpu in $gpus; do
	for job in "${jobs[@]}"; do
		name=$(basename "$job" .limn).png
		cmp "$dir/${gpus%% *}/model/$name" "$dir/$gpu/model/$name" || failed=1
	done
done
echo "$compared pictures of drivers compared with the model's"
[ $compared -gt 0 ] || failed=1
exit $failed
