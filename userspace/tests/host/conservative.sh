#!/bin/bash
# SPDX-License-Identifier: MIT
# limn.ko with conservative=1 on both families: pictures under the strict model, igt tests of submits, probes.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
bad=0
params='conservative=1 sched_timeout_ms=500'
examples=userspace/tool/examples
run() {
	scripts/testbed --driver limn --module-params "$params" --gpu "$@" || { echo "FAILED: $*"; bad=1; }
}
for gpu in mali-400-mp2 mali-450-mp4; do
	run $gpu --strict -- build/limn run -q $examples/{cube,stencil,heap,textured}.limn
	run $gpu -- build/igt-tests/lima_gem_submit
done
for gpu in gc2000 gc3000; do
	run $gpu --strict -- build/limn run -q $examples/vivante/{cube,clear,msaa,textured}.limn
	run $gpu -- build/igt-tests/etnaviv_submit
done
run mali-400-mp2 -- build/igt-tests/limn_submit
run gc3000 -- build/igt-tests/limn_submit
run gc2000 -- userspace/tests/guest/probe.sh
run mali-450-mp4 -- userspace/tests/guest/probe.sh
# It does something: a PP's frame is written whole.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for params in conservative=0 conservative=1; do
	run mali-400-mp4 --stats "$dir/$params" -- build/limn run -q $examples/triangle.limn
done
python3 -c 'import json, sys
few, many = (json.load(open(f"{sys.argv[1]}/conservative={n}"))["pp_writes"] for n in (0, 1))
sys.exit(0 if many > 1.5 * few else f"FAILED: {few} register writes, {many} with conservative=1")' "$dir" || bad=1
exit $bad
