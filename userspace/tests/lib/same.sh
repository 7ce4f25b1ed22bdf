# SPDX-License-Identifier: MIT
# For tests that compare pictures: sourced, from the top folder.

# Two PNGs are the same; else both are kept, and the line that scripts/results.py shows them for is printed.
same() { # WANTED IS
	local kept
	cmp -s "$1" "$2" && return
	kept=out/check/differ/$(basename "$0" .sh)-$$-$(basename "$2" .png)
	mkdir -p out/check/differ
	cp "$1" "$kept-wanted.png"
	cp "$2" "$kept-is.png"
	echo "differ: $kept-wanted.png $kept-is.png"
	return 1
}
