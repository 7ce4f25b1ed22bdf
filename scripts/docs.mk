# SPDX-License-Identifier: MIT
# Documentation: of the instruction sets with their tables, of the driver from its comments.

docs: docs-isa docs-driver  ## Op tables of every instruction set into build/docs; the driver's documentation into out/docs

docs-isa: $(O)/limn
	@rm -rf $(O)/docs && mkdir -p $(O)/docs
	$(Q)cp -r Documentation/. $(O)/docs
	$(Q)for i in $$($(O)/limn isa); do $(O)/limn isa -i $$i >$(O)/docs/isa/$$i-ops.rst || exit 1; done
	$(Q)if command -v rst2html >/dev/null; then for f in $(O)/docs/isa/*-ops.rst; do \
		rst2html --halt=2 --report=2 $$f $${f%.rst}.html || exit 1; done; fi
	@echo "  DOCS $(O)/docs"

# A warning is an error; without Sphinx it says so, and that is all.
docs-driver:
	@scripts/docs || [ $$? = 77 ]

.PHONY: docs docs-isa docs-driver
