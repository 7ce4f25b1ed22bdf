#!/bin/sh
# SPDX-License-Identifier: MIT
# testbed: --gpu mali-400-mp2 --driver lima
# testbed: --gpu mali-400-mp2 --driver limn
# testbed: --gpu gc2000 --driver etnaviv
# testbed: --gpu gc2000 --driver limn
# testbed: --gpu gc7000l --driver limn
# Experiments give the same answers through mainline, through limn.ko and in-process.
report=$(mktemp) || exit 1
trap 'rm -f "$report"' EXIT
build/limn probe --risky -o "$report" >/dev/null && build/limn probe --risky --compare "$report"
