# SPDX-License-Identifier: MIT
# Unmodified Mesa as the client. Nothing of this is part of "make all": it needs Mesa's headers.

check-mesa:  ## Unmodified Mesa draws GLES2 on the virtual GPUs, through limn.ko, lima.ko and etnaviv.ko
	scripts/mesa-check --families

mesa_client_src  := $(filter-out userspace/tests/mesa/compare.c,$(wildcard userspace/tests/mesa/*.c))
mesa_compare_src := userspace/tests/mesa/compare.c userspace/tests/mesa/png_io.c

# Tests that run at the same time build these, each with this file locked (flock).
# MESA is the folder that scripts/mesa-build prints. The libraries are found at run time by
# LD_LIBRARY_PATH, so that the same client also runs on another Mesa.
$(O)/mesa-client: CPPFLAGS_ALL += -I $(MESA)/include
$(O)/mesa-client: $(call obj,$(mesa_client_src))
	$(CC) -o $@ $^ -L $(MESA)/lib -Wl,-rpath-link,$(MESA)/lib -lEGL -lGLESv2 $(PNG_LIBS) -lm

$(O)/mesa-compare: $(call obj,$(mesa_compare_src))
	$(CC) -o $@ $^ $(PNG_LIBS)

.PHONY: check-mesa check-piglit check-clients

check-clients:  ## kmscube and glmark2-es2 --validate on unmodified Mesa, on every virtual GPU that it has a driver for
	scripts/client-check
	scripts/client-check --capture

$(O)/mesa-screen.so: userspace/tests/mesa/tools/screen.c userspace/tests/mesa/png_io.c
	@mkdir -p $(@D)
	$(CC) $(WARN) -O1 -std=gnu11 -fPIC -shared -Wno-unused-parameter -Wno-missing-prototypes -I $(MESA)/include \
		$$(pkg-config --cflags libdrm) -o $@ $^ $(PNG_LIBS) -ldl

$(O)/mesa-one-core.so: userspace/tests/mesa/tools/one_core.c
	@mkdir -p $(@D)
	$(CC) $(WARN) -Wno-missing-prototypes -O1 -fPIC -shared -I $(MESA)/src/include -I $(MESA)/src/include/drm-uapi -o $@ $<

$(O)/gl-compile: userspace/tests/mesa/tools/gl_compile.c
	@mkdir -p $(@D)
	$(CC) $(WARN) -O1 -std=gnu11 -I $(MESA)/include -o $@ $< -L $(MESA)/lib -Wl,-rpath-link,$(MESA)/lib -lEGL -lGLESv2

# Mesa's Midgard and Bifrost compilers as a program: see its head.
mesa_src  := $(MESA)/src/src
mesa_gen  := $(MESA)/src/build/src
mesa_incs := $(MESA)/src/include $(mesa_src) $(mesa_gen) $(mesa_src)/gallium/include $(mesa_src)/gallium/auxiliary \
	$(mesa_src)/mesa $(mesa_src)/mapi $(mesa_src)/compiler $(mesa_gen)/compiler $(mesa_src)/compiler/nir \
	$(mesa_gen)/compiler/nir $(mesa_src)/util $(mesa_src)/panfrost/compiler
$(O)/panfrost-compile: userspace/tests/mesa/tools/panfrost_compile.c $(MESA)/dev/libmesa-compilers.a
	@mkdir -p $(@D)
	$(CC) -w -O1 -std=gnu11 $$(cat $(MESA)/dev/flags) $(addprefix -I,$(mesa_incs)) -o $@ $< \
		$(mesa_src)/mesa/state_tracker/st_nir_unlower_io_to_vars.c \
		-Wl,--wrap=_Z32standalone_create_shader_programv -Wl,--start-group $(MESA)/dev/libmesa-compilers.a -Wl,--end-group -lstdc++ -lz -ldrm -lpthread -lm

# Where piglit looks for desktop GL.
$(O)/piglit/libGL.so.1: userspace/tests/mesa/tools/glx_for_egl.c
	@mkdir -p $(@D)
	$(CC) $(WARN) -O1 -fPIC -shared -Wl,-soname,libGL.so.1 -o $@ $< -L $(MESA)/lib -lEGL

check-piglit:  ## piglit on unmodified Mesa, compared with what Mesa's CI knows of real chips
	scripts/piglit-check --fails --sample 0
	scripts/piglit-check
