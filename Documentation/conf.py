# SPDX-License-Identifier: MIT
"""Sphinx: the site that "make docs" builds (scripts/docs), with the kernel-doc of a Linux source tree."""
import os
import sys

kernel = os.environ["LINUX_SRC"]
sys.path.insert(0, os.path.join(kernel, "Documentation", "sphinx"))

project = "limn"
extensions = ["kerneldoc"]
master_doc = "index"
exclude_patterns = ["man"]
# Help of commands is up to 130 columns wide.
html_theme_options = {"fixed_sidebar": True, "page_width": "min(1360px, 96vw)", "body_max_width": "1080px"}
html_show_sphinx = False
html_copy_source = False
highlight_language = "none"
nitpicky = False

# Of kerneldoc.py.
kerneldoc_bin = os.path.join(kernel, "scripts", "kernel-doc")
kerneldoc_srctree = os.environ["LIMN_TOP"]
