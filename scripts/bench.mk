# SPDX-License-Identifier: MIT

bench: all  ## limn.ko beside lima.ko and etnaviv.ko, the model, the tiling converters; out/bench.json
	@scripts/bench
	@scripts/bench-isa

.PHONY: bench
