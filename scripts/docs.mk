# SPDX-License-Identifier: MIT
# The site: what Documentation/ says, and what the tables, the options and the kernel-doc of the source say.

docs: $(O)/limn $(O)/limn-model  ## One site of documentation: out/docs/index.html
	@scripts/docs || [ $$? = 77 ]

.PHONY: docs
