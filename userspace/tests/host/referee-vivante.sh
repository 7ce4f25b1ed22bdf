#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
# Every Vivante example that fits, on mainline etnaviv.ko, on limn.ko and on the in-process
# model gives the same bytes, on each GPU; and one GPU draws what another draws. Can be
# chosen: DRIVERS, GPUS, SEED.
set -u
drivers=${DRIVERS:-etnaviv limn}
# Without supertiles and with one vertex stream, a GC600 can draw none of them.
gpus=${GPUS:-$(build/limn info --models | grep ^gc | grep -v gc600)}
seed=${SEED:-1}
dir=out/check/referee-vivante
rm -rf "$dir"
failed=0 compared=0
echo "seed $seed"

fits() { # GPU: its jobs
	local is_2d=0
	[ "$1" = gc320 ] && is_2d=1
	for job in userspace/tool/examples/vivante/*.limn; do
		if grep -q '^vivante 2d' "$job"; then
			[ $is_2d = 1 ] && echo "$job"
		else
			[ $is_2d = 0 ] && echo "$job"
		fi
	done
}

for gpu in $gpus; do
	jobs=$(fits "$gpu")
	mkdir -p "$dir/$gpu/model"
	for job in $jobs; do
		build/limn run "$job" --model "$gpu" --strict --seed "$seed" \
			-o "$dir/$gpu/model/$(basename "$job" .limn).png" || failed=1
	done
	for driver in $drivers; do
		mkdir -p "$dir/$gpu/$driver"
		scripts/testbed --gpu "$gpu" --driver "$driver" --strict --seed "$seed" -- sh -c "
			status=0
			for job in $(echo $jobs); do
				build/limn run \$job --device /dev/dri/renderD128 -o $dir/$gpu/$driver/\$(basename \$job .limn).png || status=1
			done
			exit \$status" || { echo "FAILED: $gpu, $driver.ko: status $?"; failed=1; }
		for job in $jobs; do
			name=$(basename "$job" .limn).png
			compared=$((compared + 1))
			cmp "$dir/$gpu/model/$name" "$dir/$gpu/$driver/$name" || failed=1
		done
	done
done

# The 3D cores differ in what they are told, not in what comes out.
for gpu in $gpus; do
	[ "$gpu" = gc320 ] && continue
	for picture in "$dir/$gpu"/model/*.png; do
		other=$dir/gc2000/model/$(basename "$picture")
		[ ! -e "$other" ] || cmp "$other" "$picture" || failed=1
	done
done
echo "$compared pictures of drivers compared with the model's"
[ $compared -gt 0 ] || failed=1
exit $failed
