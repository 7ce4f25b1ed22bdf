# SPDX-License-Identifier: GPL-2.0-only OR MIT
# libFuzzer over the instruction sets, containers and VUE layout. Needs clang; not part of "make check".

FUZZ_SECONDS ?= 60

$(O)/fuzz-isa: userspace/tests/isa/fuzz_isa.c $(src_isa) $(src_sim) $(wildcard userspace/isa/*.h userspace/sim/*.h)
	@mkdir -p $(@D)
	clang $(CPPFLAGS_ALL) -std=gnu11 -g -O1 -Wno-psabi -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -o $@ $(filter %.c,$^) -lm

# The names of all ops, from the tables.
$(O)/fuzz-isa.dict: $(O)/limn
	for i in $$($(O)/limn isa); do $(O)/limn isa -i $$i; done | sed -nE 's/.*``([^ `]+).*/"\1"/p' | sort -u >$@

fuzz: $(O)/fuzz-isa $(O)/fuzz-isa.dict  ## Fuzz assemblers, disassemblers, checkers and simulators for FUZZ_SECONDS (60)
	@mkdir -p $(O)/fuzz-corpus
	$(O)/fuzz-isa -max_len=3000 -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(O)/ -dict=$(O)/fuzz-isa.dict \
		$(O)/fuzz-corpus userspace/tests/isa/corpus

.PHONY: fuzz
