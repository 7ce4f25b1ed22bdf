#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# Every igt test on limn.ko in the debug kernel; what fails is printed as BINARY@SUBTEST.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
exec scripts/igt-run --driver limn --kernel debug --ktap out/igt-limn-debug.ktap --junit out/igt-limn-debug.xml
