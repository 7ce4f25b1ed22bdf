# SPDX-License-Identifier: MIT
# make install [DESTDIR=] [PREFIX=/usr/local] [LIBDIR=] ..., and Debian packages.

PREFIX     ?= /usr/local
LIBDIR     ?= $(PREFIX)/lib
LIBEXECDIR ?= $(PREFIX)/libexec
VERSION    := $(shell sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)

# What programs need that use liblimn, each in the folder that it is included from.
install_headers := $(shell find include/limn include/uapi/drm -name '*.h' -o -name '*.inc') \
	userspace/lib/limn.h userspace/isa/isa.h userspace/isa/mbs.h \
	$(wildcard userspace/lib/*/*.h)
installed_header = $(patsubst include/%,%,$(patsubst include/uapi/%,%,$(patsubst userspace/%,%,$(1))))

define install_header
install -D -m 644 $(1) $(DESTDIR)$(PREFIX)/include/liblimn/$(call installed_header,$(1))

endef

# Without the testbed, which runs where it is built.
installed: $(O)/limn $(O)/liblimn.so $(if $(HAVE_IGT),igt-tests)

install: installed  ## limn, liblimn, its headers and the igt-tests [DESTDIR= PREFIX= LIBDIR= LIBEXECDIR=]
	install -D -m 755 $(O)/limn $(DESTDIR)$(PREFIX)/bin/limn
	install -D -m 644 $(O)/liblimn.so $(DESTDIR)$(LIBDIR)/liblimn.so.0
	ln -sf liblimn.so.0 $(DESTDIR)$(LIBDIR)/liblimn.so
	@$(foreach h,$(install_headers),$(call install_header,$h))
	@# Not every system has them where libdrm's own are.
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include/liblimn/drm $(abi_headers)
	@mkdir -p $(DESTDIR)$(LIBDIR)/pkgconfig
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$${prefix}/include' '' \
		'Name: liblimn' 'Version: $(VERSION)' \
		'Description: command streams, shaders and jobs of Mali Utgard and Vivante GPUs' \
		'Requires: libdrm' 'Libs: -L$${libdir} -llimn' 'Cflags: -I$${includedir}/liblimn' \
		> $(DESTDIR)$(LIBDIR)/pkgconfig/liblimn.pc
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 Documentation/man/*.1
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/bash-completion/completions userspace/editors/bash/limn
	mkdir -p $(DESTDIR)$(PREFIX)/share/limn
	cp -r userspace/tool/examples $(DESTDIR)$(PREFIX)/share/limn/
	install -D -m 755 igt-tests/limn-igt $(DESTDIR)$(PREFIX)/bin/limn-igt
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/limn/igt-lists igt-tests/lists/*
	$(if $(HAVE_IGT),install -D -m 755 -t $(DESTDIR)$(LIBEXECDIR)/limn-igt-tests $(igt_progs))
	$(if $(IGT_STANDALONE),install -D -m 644 -t $(DESTDIR)$(LIBEXECDIR)/limn-igt-tests $(O)/libigt.so.0)

# Where modprobe finds it, before lima and etnaviv.
install-modules:  ## limn.ko, and modprobe.d/limn.conf: KDIR=... [DESTDIR=]
	$(if $(KDIR),,$(error say for which kernel: KDIR=/lib/modules/VERSION/build))
	$(MAKE) -C $(KDIR) M=$(CURDIR)/drivers/gpu/drm/limn INSTALL_MOD_PATH=$(DESTDIR) INSTALL_MOD_DIR=updates modules
	$(MAKE) -C $(KDIR) M=$(CURDIR)/drivers/gpu/drm/limn INSTALL_MOD_PATH=$(DESTDIR) INSTALL_MOD_DIR=updates modules_install
	install -D -m 644 -t $(DESTDIR)/etc/modprobe.d scripts/modprobe.d/limn.conf

deb:  ## Debian packages into out/deb/: limn-dkms liblimn0 liblimn-dev limn-tools limn-igt-tests [ARCH=armhf|arm64]
	@scripts/debian/package $(ARCH)

check-builds:  ## limn.ko against the headers of Debian's kernels, three architectures, W=1, sparse: a table
	@scripts/build-matrix

check-deb: $(O)/limn modules-plain  ## Builds the packages and looks into them [ARCH=armhf|arm64]
	@scripts/debian/package $(ARCH) >/dev/null
	@scripts/debian/check $(ARCH)

.PHONY: check-deb installed install install-modules deb check-builds
