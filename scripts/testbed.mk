# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The testbed: its host programs, device trees, kernels, and the driver module for them.

uml := userspace/model/carriers/uml

# The model process that the UML carrier starts.
$(O)/limn-model: $(call obj,$(wildcard $(uml)/*.c)) $(O)/libmodel.a $(O)/libsim.a $(O)/libisa.a
	$(call say,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group -lm

$(O)/testbed-run: $(call obj,$(uml)/testbed/runner.c)
	$(call say,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^

# Static: it runs before anything else of the guest is in place.
$(O)/testbed-init: $(uml)/testbed/init.c $(uml)/testbed/testbed.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS_ALL) -std=gnu11 -Os -static $(WARN) -Wno-unused-result -o $@ $<

# One device tree for each GPU that the model knows.
$(O)/dtb/all: $(O)/limn-model
	@mkdir -p $(@D)
	@for gpu in $$($(O)/limn-model --list); do \
		$(O)/limn-model --dts $$gpu | dtc -q -I dts -O dtb -o $(O)/dtb/$$gpu.dtb - || exit 1; done
	@touch $@

testbed-tools: $(O)/limn-model $(O)/testbed-run $(O)/testbed-init $(O)/dtb/all
userspace: testbed-tools

kernel: kernel-plain  ## The testbed's plain kernel, into the cache folder
kernel-debug:  ## The testbed's debug kernel, into the cache folder
kernel-smp:  ## The testbed's kernel with several CPUs: the newest of Debian's archive, KASAN, lockdep
kernel-plain kernel-debug kernel-smp: kernel-%:
	@scripts/kernel/build $* >/dev/null

.PHONY: testbed-tools kernel kernel-plain kernel-debug kernel-smp

ifdef KDIR
modules:  ## limn.ko for the testbed's plain kernel, or for any: KDIR=... [ARCH= CROSS_COMPILE=]
	$(MAKE) -C $(KDIR) M=$(CURDIR)/drivers/gpu/drm/limn modules
else
modules: modules-plain
endif
modules-debug:  ## limn.ko for the testbed's debug kernel
modules-plain modules-debug modules-smp: modules-%:
	@scripts/kernel/module $*

# With "make", the modules of those testbed kernels that are there already.
modules-built := $(if $(wildcard drivers/gpu/drm/limn/Makefile drivers/gpu/drm/limn/Kbuild),$(foreach f,plain debug smp,$(if $(shell scripts/kernel/build --dir $(f) 2>/dev/null),modules-$(f))))
all: $(modules-built)

.PHONY: modules modules-plain modules-debug modules-smp

# Packages first: what is parsed above depends on them, so the rest is a make of its own.
setup:  ## Installs the Debian packages that are missing
	@scripts/setup

parallel = @$(MAKE) --no-print-directory -j$(shell nproc)

demo: setup  ## Set up what is missing, build, boot, draw the examples of both families: out/demo/index.html
	@scripts/kernel/build plain >/dev/null
	$(parallel) $(O)/limn $(O)/liblimn-capture.so testbed-tools modules-plain
	@scripts/demo

TESTS ?=
check: setup-arm  ## Every test; of those on ARM kernels the quick ones [TESTS=pattern]; closing line 'N passed, N failed'
	@scripts/kernel/build plain >/dev/null
	@scripts/kernel/build $$(scripts/kernel/kasan | cut -d ' ' -f 2) >/dev/null
	$(parallel) all unit-tests
	@scripts/check $(TESTS)

check-debug:  ## Every igt list on one CPU of the debug kernel, KASAN, lockdep, suspend: limn.ko, then lima.ko and etnaviv.ko
	@scripts/kernel/build debug >/dev/null
	$(parallel) all modules-debug igt-tests
	@scripts/check-igt --kernel debug

check-smp:  ## Every igt list on four CPUs of the newest kernel, KASAN and lockdep: limn.ko, then lima.ko and etnaviv.ko
	@scripts/kernel/build smp >/dev/null
	$(parallel) all modules-smp igt-tests
	@scripts/check-igt

check-probe:  ## Every experiment on every virtual GPU, limn.ko and mainline, in the debug kernel: the model's answers
	@scripts/kernel/build debug >/dev/null
	$(parallel) all modules-debug
	@scripts/probe-check

check-style:  ## The house rules that a script can check
	@LINUX_SRC=$$(scripts/kernel/build --dir plain)/src scripts/check-style

.PHONY: setup demo check check-debug check-smp check-probe check-style
