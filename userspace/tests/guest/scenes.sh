#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver lima --gpu mali-400-mp2
# testbed: --driver limn --gpu mali-450-mp4 --strict
# testbed: --driver etnaviv --gpu gc2000 --strict
# testbed: --driver limn --gpu gc3000 --strict
# testbed: --driver limn --gpu gc7000l --strict
# testbed: --driver etnaviv --gpu gc320 --strict
# testbed: --driver limn --gpu gc320 --strict
# timeout: 300
# The scenes that tests/host/scenes.sh runs on the model alone, on a driver: the same pixels. Those that
# expect the model to report something are passed over: reports do not come through a driver.
node=/dev/dri/renderD128
case $(build/limn info --device $node --json) in
*'"gpu": "mali'*) family=utgard ;;
*'"model": "gc320"'*) family=vivante-2d ;;
*) family=vivante ;;
esac
exec build/limn run --device $node userspace/tests/scenes/$family/*.limn
