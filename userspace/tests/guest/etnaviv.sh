#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver etnaviv --gpu gc2000 --strict
# testbed: --driver etnaviv --gpu gc880 --strict
# testbed: --driver etnaviv --gpu gc320 --strict
# testbed: --driver etnaviv --gpu gc3000 --strict
# testbed: --driver etnaviv --gpu gc7000l --strict
# testbed: --driver etnaviv --gpu imx6q --strict
# testbed: --driver etnaviv --gpu gc2000 --strict --kernel=kasan
# testbed: --driver etnaviv --gpu gc7000l --strict --kernel=kasan --seed 3
# Mainline etnaviv.ko, which nobody here wrote, on the virtual chip: what it reads of the
# registers is what the chip is, the identity that the kernel prints is the in-process
# model's, and jobs come through idle loops, runtime suspend and resume.
set -u
gpu=$(tr -d '\0' </proc/device-tree/model | sed 's/limn //')
status=/sys/kernel/debug/dri/0/gpu
failed=0

# DRIVER'S NAME, OURS
same() {
	local theirs ours
	theirs=$(sed -n "s/^\t $1: *//p" $status | head -n 1)
	ours=$(build/limn info --model "$gpu" --json | tr ',{}' '\n\n\n' | sed -n "s/^ *\"$2\": *\"\{0,1\}\([0-9a-fx]*\).*/\1/p" | head -n 1)
	if [ -z "$theirs" ] || [ -z "$ours" ] || [ $((theirs)) -ne $((ours)) ]; then
		echo "FAILED: $1 is $theirs, in-process $ours"
		failed=1
	fi
}

declare -A model=([gc2000]=0x2000 [gc880]=0x880 [gc320]=0x320 [gc3000]=0x3000 [gc7000l]=0x7000 [imx6q]=0x2000)
declare -A features=([gc2000]=0xe0296cad [gc880]=0xe02864ad [gc320]=0xe02c7eca [gc3000]=0xe0287cad
	[gc7000l]=0xe0287cad [imx6q]=0xe0296cad)
grep -q "^	 model: ${model[$gpu]}$" $status || { echo "FAILED: model"; failed=1; }
grep -q "^	 major_features: ${features[$gpu]}$" $status || { echo "FAILED: features"; failed=1; }
for names in "revision revision" "pixel_pipes pixel_pipes" "instruction_count instructions" \
	"num_constants uniforms" "stream_count streams" "shader_core_count shader_cores" "varyings_count varyings"; do
	same $names
done
# No module is at work, and no bus error was seen.
grep -q "idle: 0x7fffffff" $status || { echo "FAILED: not idle"; cat $status; failed=1; }
grep -q "axi: 0x00000000" $status || { echo "FAILED: AXI status"; failed=1; }

case $gpu in
gc320) jobs="fill copy stretch" ;;
imx6q) jobs="triangle fill" ;;
*) jobs="clear triangle textured" ;;
esac
dir=$(mktemp -d)
for round in 1 2 3; do
	for job in $jobs; do
		build/limn run "userspace/tool/examples/vivante/$job.limn" -o "$dir/$job-$round.png" || failed=1
		cmp "$dir/$job-1.png" "$dir/$job-$round.png" || failed=1
	done
	# Longer than the driver's 200 ms until it suspends: FE goes to END, clocks go off.
	for _ in $(seq 100); do
		grep -qv suspended /sys/bus/platform/devices/e000?000.gpu/power/runtime_status || break
		sleep 0.1
	done
done
exit $failed
