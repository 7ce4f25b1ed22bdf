# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The one front door. Every folder's sources are found by wildcard; a new file needs no rule.

O      ?= build
CC     ?= gcc
CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Werror -Wno-unused-parameter -Wmissing-prototypes -Wstrict-prototypes
CPPFLAGS_ALL := -I include -I include/uapi -I userspace -D_GNU_SOURCE
# A product is rounded before it is added to, on Arm as on x86.
CFLAGS_ALL   := -std=gnu11 -fPIC -ffp-contract=off $(WARN) $(CFLAGS)

# One line for each file; V=1 shows the commands.
ifeq ($(V),1)
Q   :=
say :=
else
Q   := @
say  = @printf '  %-4s %s\n' $(1) $@
endif

all: userspace  ## Userspace into build/, and the modules of those testbed kernels that are in the cache

include userspace/Makefile.inc
-include scripts/*.mk

help:  ## This list
	@grep -hE '^[a-z-]+:.*##' Makefile userspace/Makefile.inc $(wildcard scripts/*.mk) | \
		awk -F ': .*## *|:  *## *' '{ printf "  %-18s %s\n", $$1, $$2 }'

clean:  ## Remove build/ and out/
	rm -rf $(O) out

.PHONY: all help clean userspace
