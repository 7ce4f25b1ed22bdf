#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 5400
# The igt tests of the etnaviv ABI on limn.ko: every GPU in the plain kernel; both kinds of MMU with KASAN
# too, but for what takes long (make check-debug).
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
read -ra kasan < <(scripts/kernel/kasan) || exit 1
bad=0
for gpu in gc2000 gc3000; do
	scripts/igt-run --gpu $gpu --driver limn "${kasan[@]}" --timeout 1200 --ktap out/igt-$gpu-kasan.ktap etnaviv_ioctls etnaviv_submit \
		etnaviv_bad_input etnaviv_fail_nth || bad=1
done
for gpu in $(build/limn info --models | grep -v ^mali); do
	scripts/igt-run --gpu $gpu --driver limn --ktap out/igt-$gpu.ktap etnaviv_ || bad=1
done
exit $bad
