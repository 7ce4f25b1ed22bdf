#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
# The same tests on mainline lima, so that they are judged by a driver that nobody here wrote:
# what it gets wrong is in igt-tests/lists/known-failures.lima.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
exec scripts/igt-run --driver lima --kernel plain
