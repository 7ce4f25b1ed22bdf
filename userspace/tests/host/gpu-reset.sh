#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# A unit that ignores its own reset (a defect of the model): the driver resets the whole
# GPU, and the job of the other pipe runs again; of a Vivante core, which has nothing else to reset, what it
# may still be at is kept. A GP that does not wake up leaves jobs that fail; a PP that does not say that it has ended is
# done when another is. And defects that do not exist are refused.
set -u
read -ra kasan < <(scripts/kernel/kasan) || exit 1

check() {	# UNIT SUBTEST
	out=$(scripts/igt-run --driver limn "${kasan[@]}" --model-fault "stuck-reset:$1" \
		"limn_reset@$2" limn_reset@again 2>&1)
	echo "$out"
	grep -q "^PASS  limn_reset@$2" <<<"$out" && ! grep -q '^FAIL' <<<"$out"
}

check pp0 pp-stuck || exit 1
check gp gp-stuck || exit 1
out=$(scripts/igt-run --driver limn "${kasan[@]}" --model-fault slow-reset:pp0 limn_reset@jobs lima_jobs 2>&1)
echo "$out"
grep -q "^PASS  limn_reset@jobs-in-a-row" <<<"$out" && ! grep -q '^FAIL' <<<"$out" || exit 1
out=$(scripts/igt-run --gpu mali-450-mp4 --driver limn --strict --list all --model-fault lost-end:pp0+lost-end:pp2 limn_reset@jobs-in 2>&1)
echo "$out"
grep -q '^1 passed, 0 failed, 0 skipped' <<<"$out" || exit 1
# Its registers are garbage until then, of which the strict model tells: limn_dump@kernel.
out=$(scripts/igt-run --driver limn --strict --list all --model-fault slow-reset:pp0 limn_dump@core-in-reset 2>&1)
echo "$out"
grep -q '^1 passed, 0 failed, 0 skipped' <<<"$out" || exit 1
# lost-wake-system skips where jobs end before the machine sleeps.
out=$(scripts/igt-run --driver limn --strict --list igt-tests/lists/all --model-fault lost-wake:gp limn_reset@lost 2>&1)
echo "$out"
grep -q '^PASS  limn_reset@lost-wake-runtime' <<<"$out" && ! grep -q '^FAIL' <<<"$out" || exit 1
out=$(scripts/igt-run --driver limn --strict --list all --model-fault stuck-reset:pp0+lost-wake:gp limn_reset@lost-in-reset 2>&1)
echo "$out"
grep -q '^1 passed, 0 failed, 0 skipped' <<<"$out" || exit 1
for gpu in gc2000 gc3000; do # a kind of MMU each
	out=$(scripts/igt-run --gpu $gpu --driver limn --model-fault stuck-reset:$gpu limn_wild 2>&1)
	echo "$out"
	grep -q '^3 passed, 0 failed, 1 skipped' <<<"$out" || exit 1
done
# Newer kernels tell udev.
if scripts/kernel/source smp >/dev/null; then
	out=$(scripts/igt-run --gpu gc2000 --driver limn --kernel smp --model-fault stuck-reset:gc2000 limn_wild@wedged limn_wild@kept limn_wild@unbind 2>&1)
	echo "$out"
	grep -q '^3 passed, 0 failed, 0 skipped' <<<"$out" || exit 1
fi
# Of two cores one does not start: the other works. A GPU whose only core does not is none.
out=$(scripts/testbed --gpu imx6q --model-fault one-reset:gc320 -- sh -c '
	build/limn run userspace/tool/examples/vivante/triangle.limn -o out/one-reset.png || exit 1
	build/limn run userspace/tool/examples/vivante/fill.limn -o out/one-reset.png && exit 1
	dmesg | grep -i "does not reset"' 2>&1) || { echo "$out"; exit 1; }
echo "$out"
grep -q 'does not reset' <<<"$out" || exit 1
out=$(scripts/testbed --gpu gc2000 --model-fault one-reset:gc2000 --unbound -- sh -c 'ls /dev/dri && exit 1; dmesg' 2>&1) || { echo "$out"; exit 1; }
grep -q 'does not reset' <<<"$out" || { echo "$out"; exit 1; }
scripts/testbed --gpu gc2000 --model-fault lost-wake:gp -- true 2>/dev/null && { echo "a GC2000 has a GP"; exit 1; }
for fault in stuck-reset:pp9 lost-wake:gp+stuck-reset:pp9 lost-wake:gp+; do
	scripts/testbed --model-fault "$fault" -- true 2>/dev/null && { echo "$fault was accepted"; exit 1; }
done
exit 0
