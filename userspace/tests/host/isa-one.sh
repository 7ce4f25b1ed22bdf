#!/bin/bash
# SPDX-License-Identifier: MIT
# What instructions do is written once, in sim/: the virtual GPUs call it, and have no table of
# instructions, no function of shaders and no binary16 of their own.
set -u
make -s build/libmodel.a || exit 1
status=0
fail() { echo "FAIL: $*"; status=1; }

needs=$(nm -A --undefined-only build/libmodel.a | sed 's/.*:\(.*\.o\): *U /\1 /')
for name in gpsim_run ppsim_run vivsim_run; do
	grep -q " $name$" <<<"$needs" || fail "no part of the model calls $name"
done
# What shaders compute and fixed functions do not: log2f chooses a texture's level, powf is sRGB.
grep -E ' (sinf?|cosf?|tanf?|atan2?f?|exp2?f?|log2|logf?|pow|isa_.*)$' <<<"$needs" | while read -r object name; do
	echo "$object needs $name"
done | grep . && fail "the model has semantics of its own"
grep -rnE '^(static |inline )*(float|uint16_t) \w*(half_(to|from|bits|value)|(to|from)_half)\w*\(' --include='*.[ch]' userspace include |
	grep -v '^userspace/isa/half.h:' && fail "another conversion of binary16"
[ $status = 0 ] && echo "the model calls gpsim_run, ppsim_run and vivsim_run, and has no semantics of its own"
exit $status
