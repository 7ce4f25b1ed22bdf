# SPDX-License-Identifier: GPL-2.0-only OR MIT
# igt-tests: one program per file of igt-tests/tests, on the installed libigt.

IGT_LIBS ?= -l:libigt.so.0
igt_cflags := -Wno-clobbered -I igt-tests/lib/abi -I igt-tests/lib -I $(O)/include $(DRM_CFLAGS)
igt_lib_obj := $(patsubst %.c,$(O)/obj/%.o,$(wildcard igt-tests/lib/*.c))
igt_progs := $(patsubst igt-tests/tests/%.c,$(O)/igt-tests/%,$(wildcard igt-tests/tests/*.c))

$(O)/obj/igt-tests/%.o: igt-tests/%.c | $(abi_headers)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -I include -I include/uapi -D_GNU_SOURCE $(CFLAGS_ALL) $(igt_cflags) -MMD -MP -c $< -o $@

$(O)/igt-tests/%: $(O)/obj/igt-tests/tests/%.o $(igt_lib_obj)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) -o $@ $^ $(IGT_LIBS) $(DRM_LIBS) -lpthread

igt-tests: $(igt_progs)  ## The driver's tests on libigt, into build/igt-tests/
.PHONY: igt-tests

# Without libigt there is nothing to build; scripts/setup installs it.
ifneq ($(shell ldconfig -p 2>/dev/null | grep -c 'libigt\.so\.0'),0)
userspace: igt-tests
endif
