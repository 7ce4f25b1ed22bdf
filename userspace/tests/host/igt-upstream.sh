#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# Upstream IGT's own tests of sync objects, sync files and authentication, unmodified, on limn.ko of both families,
# plain and debug kernel. Skips when the machine has no libigt, or Debian's source of it cannot be fetched.
tests=$(scripts/igt-build)
status=$?
[ $status = 77 ] && exit 77
[ $status = 0 ] || exit 1
bad=0
for gpu in mali-400-mp4 gc2000 gc3000; do
	for kernel in plain debug; do
		echo "$gpu, $kernel kernel:"
		scripts/igt-run --tests "$tests" --list igt-tests/lists/upstream --gpu $gpu --kernel $kernel --timeout 400 \
			--ktap "out/igt-upstream-$gpu-$kernel.ktap" || bad=1
	done
done
exit $bad
