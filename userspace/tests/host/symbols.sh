#!/bin/bash
# SPDX-License-Identifier: MIT
# liblimn.so exports what its public headers declare, and nothing else.
set -eu
make -s build/liblimn.so
public="userspace/isa/isa.h userspace/isa/bifrost_clause.h userspace/isa/mbs.h userspace/lib/*.h userspace/lib/*/*.h"
have=$(nm -D --defined-only build/liblimn.so | awk '$2 != "A" { sub("@.*", "", $3); print $3 }' | sort)
status=0
for name in $have; do
	[[ $name = limn_* ]] || { echo "FAIL: $name does not begin with limn_"; status=1; }
	grep -qE "\b$name\b" $public || { echo "FAIL: $name is exported, but no public header has it"; status=1; }
done
# Functions that these headers declare.
for name in $(sed -nE 's/^[a-z].*[ *](limn_(isa|mbs)_[a-z0-9_]+)\(.*/\1/p' userspace/isa/isa.h userspace/isa/bifrost_clause.h userspace/isa/mbs.h); do
	grep -qx "$name" <<<"$have" || { echo "FAIL: $name is declared, but not exported"; status=1; }
done
# And what is new, or gone, is written down with its version.
kept=$(sed -n 's/^ \([a-z][a-z0-9_]*\)@.*/\1/p' debian/liblimn0.symbols | sort)
if ! diff <(echo "$kept") <(echo "$have"); then
	echo "FAIL: debian/liblimn0.symbols has other names: add ' NAME@LIBLIMN_0 VERSION', or take them away"
	status=1
fi
echo "$(wc -w <<<"$have") symbols"
exit $status
