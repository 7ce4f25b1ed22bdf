# SPDX-License-Identifier: MIT

bench: all  ## limn.ko and lima.ko side by side: register accesses, frames/s, submit time; out/bench.json
	@scripts/bench
	@scripts/bench-isa

.PHONY: bench
