# SPDX-License-Identifier: MIT
# Unmodified Mesa as the client. Nothing of this is part of "make all": it needs Mesa's headers.

check-mesa:  ## Unmodified Mesa draws GLES2 on the virtual GPU, through limn.ko and lima.ko
	scripts/mesa-check

mesa_client_src  := $(filter-out userspace/tests/mesa/compare.c,$(wildcard userspace/tests/mesa/*.c))
mesa_compare_src := userspace/tests/mesa/compare.c userspace/tests/mesa/png_io.c

# MESA is the folder that scripts/mesa-build prints. The libraries are found at run time by
# LD_LIBRARY_PATH, so that the same client also runs on another Mesa.
$(O)/mesa-client: CPPFLAGS_ALL += -I $(MESA)/include
$(O)/mesa-client: $(call obj,$(mesa_client_src))
	$(CC) -o $@ $^ -L $(MESA)/lib -Wl,-rpath-link,$(MESA)/lib -lEGL -lGLESv2 $(PNG_LIBS) -lm

$(O)/mesa-compare: $(call obj,$(mesa_compare_src))
	$(CC) -o $@ $^ $(PNG_LIBS)

.PHONY: check-mesa
