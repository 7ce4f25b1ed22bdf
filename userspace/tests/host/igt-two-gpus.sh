#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# Two GPUs of different families in one machine, two DRM devices of one limn.ko: memory and fences shared between
# them, without and with KASAN; and what each family's tests find first still works beside the other.
[ -d build/igt-tests ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
gpu=mali-400-mp2+gc2000
kasan=$(scripts/kernel/kasan) || exit 1
bad=0
for options in "" "$kasan"; do
	# shellcheck disable=SC2086 # words on purpose
	scripts/igt-run --gpu $gpu $options --timeout 400 limn_prime limn_get_param limn_life@unbind || bad=1
done
exit $bad
