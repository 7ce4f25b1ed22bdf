# SPDX-License-Identifier: MIT
"""Sphinx: what "make docs" builds, with the kernel-doc of a Linux source tree."""
import os
import sys

kernel = os.environ["LINUX_SRC"]
sys.path.insert(0, os.path.join(kernel, "Documentation", "sphinx"))

project = "limn"
extensions = ["kerneldoc"]
master_doc = "gpu/limn/index"
exclude_patterns = ["dev", "isa", "man", "job-format.rst"]
highlight_language = "none"
nitpicky = False

# Of kerneldoc.py.
kerneldoc_bin = os.path.join(kernel, "scripts", "kernel-doc")
kerneldoc_srctree = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
