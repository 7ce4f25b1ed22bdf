# SPDX-License-Identifier: GPL-2.0-only OR MIT
# libFuzzer over the instruction sets, containers and VUE layout, and other fuzzers. Needs clang; not part of "make check".

FUZZ_SECONDS ?= 60
FUZZ_LENGTH ?= 256

# Comparisons are not traced, and rare features not counted: the dictionaries have the words, and it takes half of the time.
FUZZ_FLAGS := -std=gnu11 -g -O2 -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -Wno-psabi -fsanitize=address,undefined -fno-sanitize-recover=undefined
fuzz_obj := $(patsubst %.c,$(O)/obj/fuzz/%.o,userspace/tests/isa/fuzz_isa.c userspace/tool/vue.c $(src_isa) $(src_sim))

$(O)/obj/fuzz/%.o: %.c
	@mkdir -p $(@D)
	clang $(CPPFLAGS_ALL) -I $(O)/include $(DRM_CFLAGS) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp -MMD -MP -c $< -o $@

$(O)/fuzz-isa: $(fuzz_obj)
	clang -fsanitize=fuzzer,address,undefined -o $@ $^ -lm

-include $(fuzz_obj:.o=.d)

# The names of all ops, from the tables.
$(O)/fuzz-isa.dict: $(O)/limn
	for i in $$($(O)/limn isa); do $(O)/limn isa -i $$i; done | sed -nE 's/.*``([^ `]+).*/"\1"/p' | sort -u >$@

fuzz: $(O)/fuzz-isa $(O)/fuzz-isa.dict  ## Fuzz assemblers, disassemblers, checkers and simulators for FUZZ_SECONDS (60) [FUZZ_LENGTH=256]
	@mkdir -p $(O)/fuzz-corpus
	ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=4 $(O)/fuzz-isa -max_len=$(FUZZ_LENGTH) -entropic=0 -reload=0 -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(O)/ -dict=$(O)/fuzz-isa.dict \
		$(O)/fuzz-corpus userspace/tests/isa/corpus

# Job files: the parser, and what it needs of the tables.
fuzz_job_obj := $(patsubst %.c,$(O)/obj/fuzz/%.o,userspace/tests/tool/fuzz_job.c $(wildcard userspace/tool/job/*.c) \
	$(addprefix userspace/tool/,json.c message.c options.c out_file.c png.c progress.c shader_file.c words.c) $(src_lib) $(src_host) $(src_model) $(src_isa) $(src_sim))

$(fuzz_job_obj): | $(abi_headers) $(O)/include/chips.inc

$(O)/fuzz-job: $(fuzz_job_obj)
	clang -fsanitize=fuzzer,address,undefined -o $@ $^ $(DRM_LIBS) $(PNG_LIBS) -lz -lzstd -lm

-include $(fuzz_job_obj:.o=.d)

$(O)/fuzz-job.dict: userspace/tool/job/statements.inc userspace/tool/job/types.c
	grep -ohE '"[a-z0-9_-]{2,}"' $^ | sort -u >$@

# Short inputs, of which each statement may be wrong; without libFuzzer's weights, which cost a fifth of the time.
FUZZ_JOB_FLAGS = -max_len=500 -entropic=0 -timeout=20 -artifact_prefix=$(O)/ -dict=$(O)/fuzz-job.dict \
	$(if $(FUZZ_RUNS),-runs=$(FUZZ_RUNS),-max_total_time=$(FUZZ_SECONDS))
fuzz-job: $(O)/fuzz-job $(O)/fuzz-job.dict  ## Fuzz the parser of job files for FUZZ_SECONDS (60), or FUZZ_RUNS inputs (10000000: hours)
	@mkdir -p $(O)/fuzz-job-corpus
	$(O)/fuzz-job $(FUZZ_JOB_FLAGS) $(O)/fuzz-job-corpus userspace/tests/jobs userspace/tool/examples userspace/tool/examples/vivante

FUZZ_SEED ?= 1

# Random jobs on the model, the fast way and the slow ones. Vectors are those of this machine, for they are what is fast.
FUZZ_MODELS ?= pp gp vivante
fuzz_model_obj := $(patsubst %.c,$(O)/obj/fuzz-model/%.o,$(src_host) $(src_model) $(src_isa) $(src_sim))
fuzz_model_tests := $(FUZZ_MODELS:%=$(O)/obj/fuzz-model/userspace/tests/fuzz/test_fast_%.o)

$(fuzz_model_obj) $(fuzz_model_tests): | $(abi_headers) $(O)/include/chips.inc

$(O)/obj/fuzz-model/%.o: %.c
	@mkdir -p $(@D)
	clang $(CPPFLAGS_ALL) -I $(O)/include $(DRM_CFLAGS) $(FUZZ_FLAGS) -march=native -ffp-contract=off -fno-math-errno -MMD -MP -c $< -o $@

$(O)/fuzz-model-%: $(O)/obj/fuzz-model/userspace/tests/fuzz/test_fast_%.o $(fuzz_model_obj)
	clang -fsanitize=address,undefined -o $@ $^ -lcmocka -lm

-include $(fuzz_model_obj:.o=.d) $(fuzz_model_tests:.o=.d)

fuzz-model: $(FUZZ_MODELS:%=$(O)/fuzz-model-%)  ## Fuzz the model's fast ways against its slow ones: FUZZ_RUNS jobs of each kind, or FUZZ_SECONDS (60) [FUZZ_SEED=1 FUZZ_MODELS=]
	for f in $^; do $$f -s $(FUZZ_SEED) $(if $(FUZZ_RUNS),-n $(FUZZ_RUNS),-t $(FUZZ_SECONDS)) || exit 1; done

fuzz-glsl: all  ## Random GLSL through Mesa's compilers and limn exec, against C++: FUZZ_RUNS programs (200) [FUZZ_SEED=1]
	FUZZ_SEED=$(FUZZ_SEED) FUZZ_RUNS=$(or $(FUZZ_RUNS),200) bash userspace/tests/host/compiled.sh

FUZZ_GPUS ?= mali-400-mp4 gc3000 mali-400-mp2+gc2000
fuzz-driver: all  ## Fuzz the driver's ioctls on four CPUs for FUZZ_SECONDS (60) on each of FUZZ_GPUS [FUZZ_SEED=1]
	for gpu in $(FUZZ_GPUS); do scripts/fuzz-driver --gpu $$gpu --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED) || exit 1; done

SOAK_SECONDS ?= 60
SOAK_HANGS ?= 100
soak: all  ## Eight clients for SOAK_SECONDS (60), then SOAK_HANGS (100), on four CPUs, both families: no innocent may be hurt
	scripts/soak --seconds $(SOAK_SECONDS) --hangs $(SOAK_HANGS)

COVERAGE_ARGS ?=
coverage: all  ## Lines of limn.ko that tests and the fuzzer reach, both families: out/coverage/index.html
	scripts/coverage $(COVERAGE_ARGS)

.PHONY: fuzz fuzz-job fuzz-glsl fuzz-model fuzz-driver soak coverage
