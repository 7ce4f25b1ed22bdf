#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 5400
# Debian's ARM kernel on two boards: the driver is found by alias, names the GPUs, draws the triangle. The
# first run builds QEMU, which gives way to the tests beside it.
command -v arm-linux-gnueabihf-gcc >/dev/null || { echo "no cross compiler: scripts/setup --arm installs it"; exit 77; }
CCACHE_DEPEND=1 nice -n 19 scripts/arm/qemu >/dev/null || exit
exec scripts/check-arm --quick
