#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# What Mesa's own tests of Bifrost expect, asked of limn (userspace/tests/isa/known.py). Mesa's
# source is Debian's; nothing of it is kept in the tree.
set -u
mesa=$(scripts/mesa-build) || exit $?
make -s build/limn build/liblimn.so || exit 1
python3 userspace/tests/isa/known.py --lib build/liblimn.so --limn build/limn "$mesa"/src
