#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# Unmodified Mesa on the kernel drivers: the five pictures and some that reach far into the GPU.
# All scenes: make check-mesa. The first run builds Mesa (about 5 minutes); where Debian's source
# of it cannot be fetched, this test is skipped.
set -u
dir=out/check/mesa.d
rm -rf $dir
mkdir -p $dir

scripts/mesa-build >$dir/mesa || exit $?
scripts/mesa-check clear triangle cube textured blended \
	stencil heap sprites t_filter r_reload_depth r_msaa f_spill f_loop_texture v_loop v_no_attribute || exit 1

# Vivante: MMUv1, MMUv2, and the one with descriptors, page table arrays and the BLT engine.
scripts/mesa-check --gpu gc2000 --gpu gc3000 --gpu gc7000l clear triangle cube textured blended || exit 1

# A comparer that finds everything the same would be no test.
for wrong in triangle blended; do
	cp out/mesa/softpipe/cube.png $dir/$wrong.png
	if build/mesa-compare $dir out/mesa/softpipe $wrong; then
		echo "FAIL: the comparer takes a cube for $wrong"
		exit 1
	fi
done
