#!/bin/sh
# SPDX-License-Identifier: MIT
# testbed: --gpu mali-400-mp2 --driver lima
# testbed: --gpu mali-400-mp2 --driver limn
# testbed: --gpu gc2000 --driver etnaviv
# testbed: --gpu gc2000 --driver limn
# testbed: --gpu gc7000l --driver limn --kernel=kasan
# Experiments give the same answers through mainline, through limn.ko and in-process. On every GPU: make check-probe.
report=$(mktemp) || exit 1
trap 'rm -f "$report"' EXIT
build/limn probe --risky -o "$report" >/dev/null && build/limn probe --risky --compare "$report" || exit 1
# Who may not open the node gets a line that says so, and no report of a model.
chmod 600 /dev/dri/renderD*
said=$(setpriv --reuid 65534 --clear-groups build/limn probe -o "$report.2" 2>&1)
[ $? = 4 ] && [ ! -e "$report.2" ] && [ "${said#limn probe: /dev/dri/renderD128: Permission denied}" = "" ] && exit 0
echo "FAILED: without permission: $said"
exit 1
