#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# Every instruction that the seeds, rnndb and Mesa name is in limn's tables, and every op of the
# generated pages has its encoding, meaning, source and coverage (userspace/tests/isa/names.py).
# Seeds, and rnndb's isa.xml (LIMN_RNNDB), are only read where they are.
set -u
options=()
mesa=$(scripts/mesa-build)
case $? in
0) options+=(--mesa "$mesa"/src) ;;
77) echo "no source of Mesa: its tables are not read" ;;
*) exit 1 ;;
esac
seeds=${LIMN_SEEDS:-../shared/seeds}
[ ! -d "$seeds" ] || options+=(--seeds "$seeds")
[ -z "${LIMN_RNNDB:-}" ] || options+=(--rnndb "$LIMN_RNNDB")
make -s docs-isa || exit 1
exec python3 userspace/tests/isa/names.py --limn build/limn "${options[@]}"
