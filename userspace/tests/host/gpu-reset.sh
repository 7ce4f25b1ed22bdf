#!/bin/bash
# SPDX-License-Identifier: MIT
# A unit that ignores its own reset (a defect of the model): the driver resets the whole
# GPU, and the job of the other pipe runs again; of a Vivante core, which has nothing else to reset, what it
# may still be at is kept. And defects that do not exist are refused.
set -u

check() {	# UNIT SUBTEST
	out=$(scripts/igt-run --driver limn --kernel debug --model-fault "stuck-reset:$1" \
		"limn_reset@$2" limn_reset@again 2>&1)
	echo "$out"
	grep -q "^PASS  limn_reset@$2" <<<"$out" && ! grep -q '^FAIL' <<<"$out"
}

check pp0 pp-stuck || exit 1
check gp gp-stuck || exit 1
out=$(scripts/igt-run --driver limn --kernel debug --model-fault slow-reset:pp0 limn_reset@jobs lima_jobs 2>&1)
echo "$out"
grep -q "^PASS  limn_reset@jobs-in-a-row" <<<"$out" && ! grep -q '^FAIL' <<<"$out" || exit 1
for gpu in gc2000 gc3000; do # a kind of MMU each
	out=$(scripts/igt-run --gpu $gpu --driver limn --kernel debug --model-fault stuck-reset:$gpu limn_wild 2>&1)
	echo "$out"
	grep -q '^3 passed, 0 failed, 0 skipped' <<<"$out" || exit 1
done
scripts/testbed --model-fault stuck-reset:pp9 -- true 2>/dev/null && { echo "pp9 was accepted"; exit 1; }
exit 0
