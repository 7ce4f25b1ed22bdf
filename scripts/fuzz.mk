# SPDX-License-Identifier: GPL-2.0-only OR MIT
# libFuzzer over the instruction sets, containers and VUE layout. Needs clang; not part of "make check".

FUZZ_SECONDS ?= 60

FUZZ_FLAGS := -std=gnu11 -g -O1 -Wno-psabi -fsanitize=address,undefined -fno-sanitize-recover=undefined
# Memos that short inputs reach and fill.
FUZZ_FLAGS += -DISA_MEMO_FEW=2 -DISA_MEMO_LONG=4096 -DISA_MEMO_SETS=16u -DISA_MEMO_ARENA='(16u << 10)'
fuzz_obj := $(patsubst %.c,$(O)/obj/fuzz/%.o,userspace/tests/isa/fuzz_isa.c userspace/tool/vue.c $(src_isa) $(src_sim))

$(O)/obj/fuzz/%.o: %.c
	@mkdir -p $(@D)
	clang $(CPPFLAGS_ALL) -I $(O)/include $(DRM_CFLAGS) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@

$(O)/fuzz-isa: $(fuzz_obj)
	clang -fsanitize=fuzzer,address,undefined -o $@ $^ -lm

-include $(fuzz_obj:.o=.d)

# The names of all ops, from the tables.
$(O)/fuzz-isa.dict: $(O)/limn
	for i in $$($(O)/limn isa); do $(O)/limn isa -i $$i; done | sed -nE 's/.*``([^ `]+).*/"\1"/p' | sort -u >$@

fuzz: $(O)/fuzz-isa $(O)/fuzz-isa.dict  ## Fuzz assemblers, disassemblers, checkers and simulators for FUZZ_SECONDS (60)
	@mkdir -p $(O)/fuzz-corpus
	$(O)/fuzz-isa -max_len=3000 -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(O)/ -dict=$(O)/fuzz-isa.dict \
		$(O)/fuzz-corpus userspace/tests/isa/corpus

# Job files: the parser, and what it needs of the tables.
fuzz_job_obj := $(patsubst %.c,$(O)/obj/fuzz/%.o,userspace/tests/tool/fuzz_job.c $(filter-out userspace/tool/main.c,$(src_tool)) \
	$(src_lib) $(src_host) $(src_model) $(src_isa) $(src_sim))

$(fuzz_job_obj): | $(abi_headers)

$(O)/fuzz-job: $(fuzz_job_obj)
	clang -fsanitize=fuzzer,address,undefined -o $@ $^ $(DRM_LIBS) $(PNG_LIBS) -lm

-include $(fuzz_job_obj:.o=.d)

$(O)/fuzz-job.dict: userspace/tool/job/statements.inc userspace/tool/job/types.c
	grep -ohE '"[a-z0-9_-]{2,}"' $^ | sort -u >$@

fuzz-job: $(O)/fuzz-job $(O)/fuzz-job.dict  ## Fuzz the parser of job files for FUZZ_SECONDS (60)
	@mkdir -p $(O)/fuzz-job-corpus
	$(O)/fuzz-job -max_len=4000 -max_total_time=$(FUZZ_SECONDS) -timeout=20 -artifact_prefix=$(O)/ -dict=$(O)/fuzz-job.dict \
		$(O)/fuzz-job-corpus userspace/tests/jobs userspace/tool/examples userspace/tool/examples/vivante

.PHONY: fuzz fuzz-job
