#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# Two GPUs of different families in one machine, two DRM devices of one limn.ko: memory and fences shared between
# them, in both kernels; and what each family's tests find first still works beside the other.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
gpu=mali-400-mp2+gc2000
bad=0
for kernel in plain debug; do
	scripts/igt-run --gpu $gpu --kernel $kernel --timeout 400 limn_prime limn_get_param limn_life@unbind || bad=1
done
exit $bad
