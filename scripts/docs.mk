# SPDX-License-Identifier: MIT
# Documentation with the tables of the instruction sets; into build/docs, HTML where Sphinx is there.

docs: $(O)/limn  ## Documentation with the op tables of every instruction set, into build/docs
	@rm -rf $(O)/docs && mkdir -p $(O)/docs
	$(Q)cp -r Documentation/. $(O)/docs
	$(Q)for i in $$($(O)/limn isa); do $(O)/limn isa -i $$i >$(O)/docs/isa/$$i-ops.rst || exit 1; done
	$(Q)if command -v rst2html >/dev/null; then \
		for f in $(O)/docs/isa/*.rst; do rst2html --halt=2 --report=2 $$f $${f%.rst}.html 2>&1 | grep -v 'Unknown interpreted text role' || true; done; fi
	@echo "  DOCS $(O)/docs"

.PHONY: docs
