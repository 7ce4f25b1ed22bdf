# SPDX-License-Identifier: MIT
# The site: what Documentation/ says, and what the tables, the options and the kernel-doc of the source say.

docs: setup  ## One site of documentation: out/docs/index.html
	$(parallel) $(O)/limn $(O)/limn-model
	@scripts/docs

.PHONY: docs
