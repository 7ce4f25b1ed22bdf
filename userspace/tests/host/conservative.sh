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
# Each row of Documentation/gpu/limn/relied-on.rst does something. What the model has counted of a GPU with and without:
# effect GPU COUNTER MORE COMMAND: COUNTER grows by a fifth and more with conservative=1, or with MORE=0 without it.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
effect() {
	for n in 0 1; do
		scripts/testbed --driver limn --gpu "$1" --module-params conservative=$n --stats "$dir/$n" -- sh -c "$4" || bad=1
	done
	python3 -c 'import json, sys
n, m = (json.load(open(f"{sys.argv[1]}/{n}"))[sys.argv[2]] for n in (0, 1))
few, many = (n, m) if int(sys.argv[3]) else (m, n)
sys.exit(0 if many >= 1.2 * few else f"FAILED: {sys.argv[2]}: {n}, {m} with conservative=1")' "$dir" "$2" "$3" || bad=1
}
draw="build/limn run -q --frames 6 -o /tmp/%d.png $examples"
# A PP's frame and write-back units are written whole; the directory; the L2 is cleared before each job.
effect mali-400-mp4 pp_writes 1 "$draw/triangle.limn"
effect mali-400-mp4 mmu_writes 1 "$draw/triangle.limn"
effect mali-400-mp4 other_writes 1 "$draw/triangle.limn"
# FE is not stopped while it is idle, so it need not be started again.
effect gc3000 other_writes 0 "echo on >/sys/bus/platform/devices/e0000000.gpu/power/control
	for i in 1 2 3 4 5 6 7 8 9; do $draw/vivante/triangle.limn; sleep 0.3; done"

# A job that has waited for another one starts in an interrupt (h of the flags), or in a worker.
starts='t=/sys/kernel/tracing; mountpoint -q $t || mount -t tracefs tracefs $t
	echo 1 >$t/events/limn/limn_job_run/enable
	build/limn probe viv-queued-job >/dev/null
	grep limn_job_run: $t/trace'
for n in 0 1; do
	scripts/testbed --driver limn --gpu gc3000 --module-params conservative=$n -- sh -c "$starts" >"$dir/starts" || bad=1
	grep -q '\] [^ ]*h[^ ]* ' "$dir/starts"
	[ $? = $n ] || { echo "FAILED: conservative=$n"; cat "$dir/starts"; bad=1; }
done
# No counter tells of a draw that takes several of a job's periods: it is killed as mainline would.
scripts/testbed --driver limn --gpu gc2000 --module-params conservative=1 -- bash userspace/tests/guest/long-draw.sh \
	>"$dir/long" 2>&1 && { echo "FAILED: a long draw went on"; bad=1; }
grep -q 'did not end in time' "$dir/long" || { cat "$dir/long"; bad=1; }
exit $bad
