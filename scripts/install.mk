# SPDX-License-Identifier: MIT
# make install [DESTDIR=] [PREFIX=/usr/local] [LIBDIR=] ..., and Debian packages.

PREFIX     ?= /usr/local
LIBDIR     ?= $(PREFIX)/lib
LIBEXECDIR ?= $(PREFIX)/libexec
VERSION    := $(shell sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)

$(O)/obj/userspace/tool/main.o $(O)/obj/userspace/tool/probe/probe.o: CPPFLAGS_ALL += -DLIMN_VERSION='"$(VERSION)"'
$(O)/obj/userspace/tool/main.o: debian/changelog
# Where limn capture finds its library when it is not beside limn.
$(O)/obj/userspace/tool/capture/cmd_capture.o: CPPFLAGS_ALL += -DLIMN_LIBDIR='"$(LIBDIR)"'

# What programs need that use liblimn, each in the folder that it is included from.
install_headers := $(shell find include/limn include/uapi/drm -name '*.h' -o -name '*.inc') \
	userspace/lib/limn.h userspace/isa/isa.h userspace/isa/mbs.h \
	$(wildcard userspace/lib/*/*.h)
installed_header = $(patsubst include/%,%,$(patsubst include/uapi/%,%,$(patsubst userspace/%,%,$(1))))

define install_header
install -D -m 644 $(1) $(DESTDIR)$(PREFIX)/include/liblimn/$(call installed_header,$(1))

endef

# The commands of limn(1) come from their tables. A program for another processor cannot tell them:
# scripts/debian/package brings the pages then.
man: $(O)/man/limn.1 $(O)/man/limn-job.5  ## Manual pages into build/man

$(O)/man/limn.1: Documentation/man/limn.1.in $(O)/limn
	@mkdir -p $(@D)
	$(Q)$(O)/limn --man >$@.commands 2>/dev/null && sed -e '/^@COMMANDS@/{r $@.commands' -e 'd}' $< >$@ || cp build/man/limn.1 $@
	@rm -f $@.commands

$(O)/man/limn-job.5: Documentation/job-format.rst $(O)/limn
	@mkdir -p $(@D)
	$(Q)if command -v rst2man >/dev/null && $(O)/limn info --statements >$@.statements 2>/dev/null; then \
		{ printf '%s\n' '########' limn-job '########' '' '++++++++++++++++' 'pictures as text' '++++++++++++++++' '' ':Manual section: 5' ''; \
		sed -e '1,/^=====/d' -e 's/:doc:`\([^`]*\)`/\1/' $< $@.statements; } | rst2man --report=2 --halt=2 - $@; \
	elif [ -e build/man/limn-job.5 ]; then cp build/man/limn-job.5 $@; \
	else echo '.so man1/limn.1' >$@; fi
	@rm -f $@.statements

# Without the testbed, which runs where it is built.
installed: $(O)/limn man $(O)/liblimn.so $(O)/liblimn-capture.so $(if $(HAVE_IGT),igt-tests)

install: installed install-lib  ## limn, liblimn, its headers and the igt-tests [DESTDIR= PREFIX= LIBDIR= LIBEXECDIR=]
	install -D -m 755 $(O)/limn $(DESTDIR)$(PREFIX)/bin/limn
	install -D -m 644 $(O)/liblimn-capture.so $(DESTDIR)$(LIBDIR)/limn/liblimn-capture.so
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 $(O)/man/limn.1 Documentation/man/limn-igt.1
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man5 $(O)/man/limn-job.5
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/bash-completion/completions userspace/editors/bash/limn
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions userspace/editors/zsh/_limn
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d userspace/editors/fish/limn.fish
	mkdir -p $(DESTDIR)$(PREFIX)/share/limn $(DESTDIR)$(PREFIX)/share/doc/limn
	cp -r userspace/editors/vim userspace/editors/vscode $(DESTDIR)$(PREFIX)/share/limn/
	@# As pages where make docs has made them, else as text.
	cp -rT $(if $(wildcard out/docs/index.html),out/docs,Documentation) $(DESTDIR)$(PREFIX)/share/doc/limn/site
	cp -r userspace/tool/examples $(DESTDIR)$(PREFIX)/share/limn/
	install -D -m 755 igt-tests/limn-igt $(DESTDIR)$(PREFIX)/bin/limn-igt
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/limn/igt-lists igt-tests/lists/*
	@# Not a script there: the tests do without Python, and only the other forms of their results need it.
	sed 1d scripts/results.py > $(DESTDIR)$(PREFIX)/share/limn/results.py
	chmod 644 $(DESTDIR)$(PREFIX)/share/limn/results.py
	$(if $(HAVE_IGT),install -D -m 755 -t $(DESTDIR)$(LIBEXECDIR)/limn-igt-tests $(igt_progs))
	$(if $(IGT_STANDALONE),install -D -m 644 -t $(DESTDIR)$(LIBEXECDIR)/limn-igt-tests $(O)/libigt.so.0)

install-lib: $(O)/liblimn.so  ## liblimn, its headers and its file for pkg-config alone [DESTDIR= PREFIX= LIBDIR=]
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

.PHONY: man check-deb installed install install-lib install-modules deb check-builds
