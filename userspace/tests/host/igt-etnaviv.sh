#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1500
# The same tests on mainline etnaviv, one GPU for each kind of MMU, so that they are judged by a driver that
# nobody here wrote: what it gets wrong is in igt-tests/lists/known-failures.etnaviv.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
bad=0
for gpu in gc2000 gc3000; do
	scripts/igt-run --gpu $gpu --driver etnaviv || bad=1
done
exit $bad
