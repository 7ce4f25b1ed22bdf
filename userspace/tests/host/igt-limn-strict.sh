#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
# The strict model beside the tests in which no list is broken on purpose, on four cores and on a Mali-450; and
# part of the list for Vivante in a kernel with KASAN (all of it: scripts/igt-run --gpu gc2000 --kernel debug --strict).
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
read -ra kasan < <(scripts/kernel/kasan) || exit 1
status=0
for gpu in mali-400-mp4 mali-450-mp4; do
	scripts/igt-run --driver limn --gpu $gpu --strict --timeout 120 --list igt-tests/lists/strict || status=1
done
scripts/igt-run --driver limn --gpu gc2000 "${kasan[@]}" --strict limn_submit || status=1
exit $status
