#!/bin/bash
# SPDX-License-Identifier: MIT
# A test that is listed as late gets three boots, and has to pass in one of them; another gets one. A script takes the
# place of upstream's syncobj_wait, and fails as often as it is told to.
set -u
dir=$(mktemp -d) mark=out/igt-late.$$
trap 'rm -rf "$dir" "$mark"' EXIT
mkdir -p out
late=wait-delayed-signal
grep -q "^syncobj_wait@$late late" igt-tests/lists/known-failures.limn || { echo "$late is not listed as late"; exit 1; }

run() { # FAILURES SUBTEST: prints what igt-run does, and how often the test ran
	local status
	: >"$mark"
	cat >"$dir/syncobj_wait" <<-END
		#!/bin/sh
		[ "\$1" = --list-subtests ] && { echo $2; exit; }
		echo >>$PWD/$mark
		result=SUCCESS
		[ \$(wc -l <$PWD/$mark) -gt $1 ] || result=FAIL
		echo "Starting subtest: $2"
		echo "Subtest $2: \$result (0.000s)"
	END
	chmod +x "$dir/syncobj_wait"
	echo syncobj_wait >"$dir/list"
	scripts/igt-run --tests "$dir" --list "$dir/list"
	status=$?
	echo "ran $(wc -l <"$mark"), status $status"
}

bad=0
expect() { # FAILURES SUBTEST RUNS STATUS
	local out
	out=$(run "$1" "$2" 2>&1)
	grep -qx "ran $3, status $4" <<<"$out" ||
		{ echo "FAILED: $2 that fails $1 times was to run $3 times and end with $4:"; echo "$out"; bad=1; }
}
expect 0 $late 1 0
expect 2 $late 3 0
expect 9 $late 3 1
expect 1 signal 1 1
exit $bad
