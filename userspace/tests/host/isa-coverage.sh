#!/bin/bash
# SPDX-License-Identifier: MIT
# What has semantics is run by a unit test, and what has a name and no semantics says why
# (limn isa --coverage).
set -u
tests=$(grep -l 'tests/sim/tested.h' userspace/tests/sim/*.c | sed 's|.*/||; s|\.c$||')
make -s build/limn $(printf 'build/tests/sim/%s ' $tests) || exit 1
for test in $tests; do
	[ build/tested/"$test" -nt build/tests/sim/"$test" ] || build/tests/sim/"$test" >/dev/null 2>&1 ||
		{ echo "FAIL: $test"; exit 1; }
done
out=$(build/limn isa --coverage) || exit 1
echo "$out"
[ "$(grep -c 'ops: named' <<<"$out")" = 5 ] || { echo "FAIL: not five instruction sets"; exit 1; }
! grep 'no unit test runs' <<<"$out" || { echo "FAIL: the above have semantics, and no test"; exit 1; }
! grep 'not executed ()' <<<"$out" || { echo "FAIL: no reason"; exit 1; }
