#!/bin/bash
# SPDX-License-Identifier: MIT
# Every kind of wrong text for every assembler: messages with place and caret, or as JSON; never a crash.
set -eu
make -s build/limn
exec python3 userspace/tests/isa/bad_text.py
