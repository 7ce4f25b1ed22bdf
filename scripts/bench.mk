# SPDX-License-Identifier: MIT

# Mainline's stream parser, from the source that the testbed's kernel is built of, beside our checker.
$(O)/obj/bench/etnaviv.o: userspace/tests/driver/bench_etnaviv.c userspace/tests/driver/bench_etnaviv.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)src=$$(scripts/kernel/build plain)/src && $(CC) -std=gnu11 -Wall $(CFLAGS) -I $$src/tools/include \
		-I $$src/drivers/gpu/drm/etnaviv -idirafter $$src/include/uapi -c $< -o $@ && \
	$(CC) -std=gnu11 $(CFLAGS) -I $$src/tools/include -c $$src/tools/lib/find_bit.c -o $(@D)/find_bit.o

$(O)/bench-checkers: $(O)/obj/userspace/tests/driver/bench_checkers.o $(O)/obj/bench/etnaviv.o $(O)/libtool.a \
		$(O)/liblib.a $(O)/libhost.a $(O)/libmodel.a $(O)/libsim.a $(O)/libisa.a
	$(call say,LD)
	$(Q)$(CC) -o $@ $(O)/obj/bench/find_bit.o -Wl,--start-group $^ -Wl,--end-group $(DRM_LIBS) $(PNG_LIBS) -lm

bench: all $(O)/bench-checkers  ## limn.ko beside lima.ko and etnaviv.ko, checkers, the model, tilings, frames through Mesa; out/bench*.json
	@scripts/setup --bench
	@scripts/bench
	@scripts/bench-isa
	@scripts/bench-frames
	@[ $$(nproc) -lt 2 ] || scripts/bench-frames --threads 2
	@scripts/bench-frames --glmark2 --rounds 1 || [ $$? = 77 ]
	@[ $$(nproc) -lt 2 ] || scripts/bench-frames --glmark2 --rounds 1 --threads 2 || [ $$? = 77 ]

.PHONY: bench
