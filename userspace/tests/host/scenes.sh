#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 600
# Every scene on every model that can draw it, in strict mode: what it expects is there, and nothing
# else is reported.
status=0
for file in userspace/tests/scenes/*/*.limn; do
	build/limn run --model all --strict "$file" || status=1
done
exit $status
