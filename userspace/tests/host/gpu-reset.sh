#!/bin/bash
# SPDX-License-Identifier: MIT
# A unit that ignores its own reset (a defect of the model): the driver resets the whole
# GPU, and the job of the other pipe runs again. And defects that do not exist are refused.
set -u

check() {	# UNIT SUBTEST
	out=$(scripts/igt-run --driver limn --kernel debug --model-fault "stuck-reset:$1" \
		"limn_reset@$2" limn_reset@again 2>&1)
	echo "$out"
	grep -q "^PASS  limn_reset@$2" <<<"$out" && ! grep -q '^FAIL' <<<"$out"
}

check pp0 pp-stuck || exit 1
check gp gp-stuck || exit 1
scripts/testbed --model-fault stuck-reset:pp9 -- true 2>/dev/null && { echo "pp9 was accepted"; exit 1; }
exit 0
