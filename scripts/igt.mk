# SPDX-License-Identifier: GPL-2.0-only OR MIT
# igt-tests: one program per file of igt-tests/tests, on the installed libigt; or, where there is
# none (IGT_STANDALONE=1; Debian has it for x86 only), on our own small one.

IGT_LIBS ?= -l:libigt.so.0
igt_cflags := -Wno-clobbered -I igt-tests/lib/abi -I igt-tests/lib -I Documentation/gpu/limn -I $(O)/include $(DRM_CFLAGS)
igt_lib_obj := $(patsubst %.c,$(O)/obj/%.o,$(wildcard igt-tests/lib/*.c))
igt_progs := $(patsubst igt-tests/tests/%.c,$(O)/igt-tests/%,$(wildcard igt-tests/tests/*.c))

$(O)/obj/igt-tests/%.o: igt-tests/%.c | $(abi_headers)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -I include -I include/uapi -D_GNU_SOURCE $(CFLAGS_ALL) $(igt_cflags) -MMD -MP -c $< -o $@

$(O)/igt-tests/%: $(O)/obj/igt-tests/tests/%.o $(igt_lib_obj)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(IGT_LIBS) $(DRM_LIBS) -lpthread

# The fuzzer of the driver, on the same library.
$(O)/fuzz-driver: $(patsubst %.c,$(O)/obj/%.o,$(wildcard igt-tests/fuzz/*.c)) $(igt_lib_obj)
	$(call say,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(IGT_LIBS) $(DRM_LIBS) -lpthread

igt-tests: $(igt_progs) $(O)/fuzz-driver  ## The driver's tests on libigt, into build/igt-tests/

mutants: all  ## Faults put into the driver, one at a time: a test has to see each (an hour)
	scripts/mutants --quick

museum: all  ## The same for bugs that mainline's lima and etnaviv once had
	scripts/mutants --museum --quick

.PHONY: igt-tests mutants museum

# The small one keeps real libigt's name, so that the tests run on either; it may lie beside them.
ifneq ($(IGT_STANDALONE),)
IGT_LIBS := $(O)/libigt.so.0 -Wl,-rpath,'$$ORIGIN'
$(O)/libigt.so.0: $(patsubst %.c,$(O)/obj/%.o,$(wildcard igt-tests/lib/standalone/*.c))
	$(call say,LD)
	$(Q)$(CC) $(LDFLAGS) -shared -Wl,-soname,libigt.so.0 -o $@ $^ $(DRM_LIBS)
$(igt_progs): $(O)/libigt.so.0
HAVE_IGT := 1
endif

# Without libigt there is nothing to build; scripts/setup installs it.
ifeq ($(origin HAVE_IGT),undefined)
HAVE_IGT := $(filter-out 0,$(shell ldconfig -p 2>/dev/null | grep -c 'libigt\.so\.0'))
endif
ifneq ($(HAVE_IGT),)
userspace: igt-tests
endif
