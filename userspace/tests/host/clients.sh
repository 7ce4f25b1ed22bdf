#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# kmscube and glmark2 --validate on one GPU; on all: make check-clients. Mesa is built by host/mesa.
exec scripts/client-check --gpu gc7000l
