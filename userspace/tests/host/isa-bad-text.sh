#!/bin/bash
# SPDX-License-Identifier: MIT
# Every kind of wrong text for every assembler: messages with place and caret, or as JSON; never a crash.
set -eu
make -s build/limn
for command in asm check exec; do
	[ $command = check ] && json=--json || json=
	if build/limn $command $json userspace/tests/isa/colour.pp >/dev/full 2>&1; then
		echo "FAIL: limn $command does not tell that its output is lost"
		exit 1
	fi
done
exec python3 userspace/tests/isa/bad_text.py
