# SPDX-License-Identifier: GPL-2.0-only OR MIT
# ARM boards: Debian's own kernels on QEMU's boards, with the virtual GPU in the place of the real one.

# The virtual GPU as QEMU loads it.
$(O)/libmodel.so: $(call obj,userspace/model/carriers/qemu/plugin.c) $(O)/libmodel.a $(O)/libsim.a $(O)/libisa.a
	$(call say,LD)
	$(Q)$(CC) -shared -o $@ $< -Wl,--start-group $(filter %.a,$^) -Wl,--end-group -lm

# Counts a guest's instructions. QEMU's source has the header.
$(O)/libcount.so: userspace/model/carriers/qemu/count.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS_ALL) -shared -I $$(scripts/arm/qemu --source)/include -o $@ $<

check-arm: setup-arm  ## The same driver on Debian's ARM kernels in QEMU [TESTS=pattern]
	$(parallel) $(O)/limn
	@scripts/check-arm $(TESTS)
check-arm-quick: setup-arm  ## Of that: found by alias, the right GPU, the triangle
	$(parallel) $(O)/limn
	@scripts/check-arm --quick $(TESTS)

bench-arm: setup-arm  ## Instructions that limn.ko and the mainline drivers execute for a job; out/bench-arm.json
	@scripts/bench-arm

setup-arm: setup
	@scripts/setup --arm

check-arm64: setup  ## Model and simulators as arm64's code, in qemu-user: unit tests, fuzzers, the same pictures [TESTS=pattern]
	@scripts/setup --arm64
	@scripts/check-arm64 $(TESTS)

.PHONY: check-arm check-arm-quick bench-arm setup-arm check-arm64
