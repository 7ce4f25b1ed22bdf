#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 600
# The house rules; checkpatch from the testbed's kernel source.
LINUX_SRC=$(scripts/kernel/build --dir plain)/src scripts/check-style
