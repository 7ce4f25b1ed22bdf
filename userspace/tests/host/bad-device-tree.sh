#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# Device trees that are wrong, for both families, each 100 times in a kernel with KASAN: limn says
# what is wrong in one line, fails, and leaves nothing behind (guest/lib/bind.sh). Where the binding
# lets a property be absent it works, as the mainline driver does.
set -u
read -ra kasan < <(scripts/kernel/kasan) || exit 1
dir=out/check/bad-device-tree.d
mkdir -p "$dir"
failed=0
tree=
cases=()

# A tree of nodes that are like the GPU's own but for one thing each; that one is gone.
begin() { # GPU
	gpu=$1
	body=$(build/limn-model --dts "$gpu" | sed -n '/gpu0: gpu@/,/^\t};/p' | sed '1d;$d')
	tree='/delete-node/ &gpu0;'
	cases=()
}

bad() { # NODE DIFFERENCE ERROR PATTERN
	local label=${1//-/_}

	tree+=$'\n'"/ { $label: $1@e0000000 { $body }; };"$'\n'"&$label { $2 };"
	cases+=("$1" "$3" "$4")
}

run() { # [OPTION]...
	scripts/testbed --gpu "$gpu" "${kasan[@]}" --unbound --timeout 3000 "$@" --device-tree "$tree" -- \
		bash userspace/tests/guest/lib/bind.sh "${cases[@]}" >"$dir/out" 2>&1
	local status=$?

	if [ $status = 0 ]; then
		sort -u "$dir/out"
		return
	fi
	cat "$dir/out"
	echo "FAILED: $gpu: exit status $status"
	failed=1
}

# The mainline driver binds to the same tree.
referee() { # DRIVER [OPTION]...
	scripts/testbed --gpu "$gpu" --driver "$@" --device-tree "$tree" -- true >"$dir/out" 2>&1 && return
	cat "$dir/out"
	echo "FAILED: $1 does not bind to: $tree"
	failed=1
}

# A Vivante core that is unclocked or in reset reads as anything: mostly as no model at all.
noise="no Vivante core answers: model|is unknown: no pipe|does not reset|no such core"
enoent="No such file or directory" enxio="No such device or address" einval="Invalid argument" enodev="No such device"
none='/delete-property/'

# Lines 0 to 6: gp gpmmu pmu pp0 ppmmu0 pp1 ppmmu1.
begin mali-400-mp2
bad no-clocks "$none clocks; $none clock-names;" "$enoent" "Failed to get clk .bus."
bad no-core-clock 'clocks = <&crg 0>; clock-names = "bus";' "$enoent" "Failed to get clk .core."
bad held-in-reset "$none resets;" "$enodev" "no Mali-400 answers: GP version"
bad no-interrupts "$none interrupts; $none interrupt-names;" "$enxio" "IRQ gpmmu not found"
bad no-interrupt-of-gp 'interrupts = <1 4>, <2 4>, <3 4>, <4 4>; interrupt-names = "gpmmu", "pmu", "pp0", "ppmmu0";' \
	"$enxio" "IRQ gp not found"
bad no-interrupt-of-ppmmu0 'interrupts = <0 4>, <1 4>, <2 4>, <3 4>; interrupt-names = "gp", "gpmmu", "pmu", "pp0";' \
	"$enxio" "IRQ ppmmu0 not found"
bad no-power-unit 'interrupts = <0 4>, <1 4>, <3 4>, <4 4>; interrupt-names = "gp", "gpmmu", "pp0", "ppmmu0";' \
	"$enodev" "no Mali-400 answers: GP version"
bad few-registers 'reg = <0xe0000000 0x8000>;' "$einval" "registers .* 0x0*10000 bytes are needed"
bad no-registers "$none reg;" "$einval" "invalid resource"
bad other-registers 'reg = <0xe0001000 0x10000>;' "$enodev" "no Mali-400 answers: GP version"
bad claims-mali-450 'compatible = "arm,mali-450"; reg = <0xe0000000 0x30000>;
	interrupt-names = "gp", "gpmmu", "pmu", "pp0", "ppmmu0", "pp1", "pp";' \
	"$enodev" "no Mali-450 answers: GP version 0b07"
bad claims-vivante 'compatible = "vivante,gc";' "$enodev|Input/output error" "$noise"
run

begin mali-400-mp2
bad no-resets "$none resets;" works ""
run --model-fault no-reset-line
referee lima --model-fault no-reset-line
begin mali-400-mp2
bad no-second-pp 'interrupts = <0 4>, <1 4>, <2 4>, <3 4>, <4 4>; interrupt-names = "gp", "gpmmu", "pmu", "pp0", "ppmmu0";' works ""
run
referee lima

# The binding's newest names (Linux 7) come with the old ones behind them.
begin mali-400-mp2
bad stih410 'compatible = "st,stih410-mali", "arm,mali-400";' works ""
run
begin mali-450-mp4
bad rk3528 'compatible = "rockchip,rk3528-mali", "arm,mali-450";' works ""
run

# Right but for the chip, which nobody knows.
begin mali-400-mp2
bad right "" "$enodev" "no Mali-400 answers: GP version 12340101"
run --model-fault unknown-gpu
begin gc2000
bad right "" "$enodev|$enxio" "GC1234 r5678 is unknown: no pipe"
run --model-fault unknown-gpu

# Vivante. Cores are one GPU once their own properties are right, so the rest is a tree each. None has
# a reset line.
begin gc2000
bad no-clocks "$none clocks; $none clock-names;" "$enoent" 'cannot get clock "core"'
bad no-interrupt "$none interrupts;" "$enxio" "IRQ index 0 not found"
bad few-registers 'reg = <0xe0000000 0x400>;' "$einval" "registers .* 0x0*670 bytes are needed"
bad no-registers "$none reg;" "$einval" "invalid resource"
bad claims-mali-400 'compatible = "arm,mali-400"; reg = <0xe0000000 0x10000>;
	interrupts = <0 4>, <1 4>, <2 4>, <3 4>; interrupt-names = "gp", "gpmmu", "pp0", "ppmmu0";' "$enodev" "no Mali-400 answers: GP version"
run
begin gc2000
bad no-bus-clock 'clocks = <&crg 1>; clock-names = "core";' "$enodev|Input/output error" "$noise"
run
begin gc2000
bad other-registers 'reg = <0xe0002000 0x1000>;' "$enodev" "no Vivante core answers: model 00000000"
run

# Five cores are one more than the ABI has pipes for: no GPU, and a suspend afterwards looks for none.
body=$(build/limn-model --dts gc2000 | sed -n '/gpu0: gpu@/,/^\t};/p' | sed '1d;$d;/reg = /d')
tree='/delete-node/ &gpu0;'
for i in 0 1 2 3 4; do
	tree+=$'\n'"/ { gpu@e000${i}000 { reg = <0xe000${i}000 0x1000>; $body }; };"
done
# shellcheck disable=SC2016
suspend='modprobe limn; dmesg | grep "limn e000.*failed to bind" &&
	echo platform >/sys/power/pm_test && echo 0 >/sys/module/suspend/parameters/pm_test_delay &&
	echo freeze >/sys/power/state && ! ls /sys/class/drm/render*'
if ! scripts/testbed --gpu gc2000 --unbound --device-tree "$tree" -- sh -c "$suspend" >"$dir/out" 2>&1; then
	cat "$dir/out"
	echo "FAILED: five cores"
	failed=1
fi
exit $failed
