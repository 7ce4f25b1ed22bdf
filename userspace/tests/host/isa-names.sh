#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# Every instruction that mali-isa-docs, rnndb and Mesa name is in limn's tables, and every op of the
# generated pages has its encoding, meaning, source and coverage (userspace/tests/isa/names.py).
# rnndb's isa.xml (LIMN_RNNDB) is only read where it is.
set -u
options=()
mesa=$(scripts/mesa-build)
case $? in
0) options+=(--mesa "$mesa"/src) ;;
77) echo "no source of Mesa: its tables are not read" ;;
*) exit 1 ;;
esac
[ -z "${LIMN_RNNDB:-}" ] || options+=(--rnndb "$LIMN_RNNDB")
exec python3 userspace/tests/isa/names.py --limn build/limn "${options[@]}"
