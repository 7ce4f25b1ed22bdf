#!/bin/bash
# SPDX-License-Identifier: MIT
# Documentation/dev/syzkaller: what the fuzzer's grammar says now, every ioctl and field of the three headers is in
# it, and everything that is named is defined there, in the headers, or in syzkaller's own files.
set -u
[ -x build/fuzz-driver ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { echo "FAILED: $*"; bad=1; }

# STRUCT FIELD, a line for each of a header.
header_fields() {
	sed -E 's@/\*[^*]*\*/@@' "$1" | awk '
		/^struct [a-z0-9_]+ \{/ { name = $2; next }
		/^\}/ { name = "" }
		name && /^\t(__[us](8|16|32|64)|struct|char|union) / {
			sub(/;.*/, ""); sub(/^\t(struct )?[a-z0-9_]+ +/, ""); gsub(/\[[^]]*\]/, "")
			n = split($0, field, /, */)
			for (i = 1; i <= n; i++) print name, field[i]
		}'
}

# What is wrong with a description: DESCRIPTION HEADER. Frames of lima's jobs are not passed to an ioctl.
faults() {
	local name field
	for name in $(grep -oE '^#define DRM_IOCTL_(LIMA|ETNAVIV|LIMN)_[A-Z_]+' "$2" | sed 's/.* //'); do
		grep -qF "ioctl\$$name(" "$1" || echo "no $name"
	done
	header_fields "$2" | grep -vE '_frame |^drm_limn_array |^drm_etnaviv_timespec ' >"$dir/fields"
	[ "$(wc -l <"$dir/fields")" -ge 25 ] || echo "$2 has $(wc -l <"$dir/fields") fields?"
	while read -r name field; do
		sed -n "/^$name {/,/^}/p" "$1" | grep -qP "^\t${field}(_[a-z0-9_]+)?\t" || echo "struct $name has no $field"
	done <"$dir/fields"
	# Names that are used, without those of fields, arguments and the language itself, each with its definition.
	sed -E '/^(include|_)/d; s/#.*//; s/"[^"]*"//g' "$1" >"$dir/text"
	grep -oE '^(resource )?[a-z0-9_]+( \{| \[| =|\[)' "$dir/text" | sed -E 's/^resource //; s/[^a-z0-9_]*$//' >"$dir/defined"
	# Of dev_dri.txt, dev_sw_sync.txt and sys.txt; and the language.
	printf '%s\n' fd_dri drm_gem_handle drm_syncobj fd_sync_file open_flags mmap_prot mmap_flags \
		resource ioctl openat mmap const flags ptr ptr64 array in out inout opt string vma vma64 fileoff len \
		int8 int16 int32 int64 varlen >>"$dir/defined"
	sed -E 's/^\t[a-z0-9_]+//; s/(len|bytesize)\[[a-z0-9_]+/len/g; s/\$[A-Za-z0-9_]+//; s/([(]|, )[a-z]+ /\1/g' "$dir/text" |
		grep -oE '\b[a-z][a-z0-9_]*' | sort -u | grep -vxF -f "$dir/defined" | sed 's/$/ is not defined/'
}

# Constants that the headers do not have do not compile.
{
	printf '#include <fcntl.h>\n#include <drm.h>\n#include <drm/%s_drm.h>\n' lima etnaviv limn | uniq
	echo 'unsigned long all[] = {'
	sed 's/#.*//; s/"[^"]*"//g' Documentation/dev/syzkaller/dev_*.txt | grep -oE '\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b' |
		grep -v '^NR_' | sort -u | sed 's/$/,/'
	echo '};'
} >"$dir/constants.c"
gcc -Wno-overflow -fsyntax-only -I build/include -I include/uapi $(pkg-config --cflags libdrm) "$dir/constants.c" ||
	fail "constants that no header has"

for abi in lima etnaviv limn; do
	header=build/include/drm/${abi}_drm.h
	[ $abi != limn ] || header=include/uapi/drm/limn_drm.h
	file=Documentation/dev/syzkaller/dev_$abi.txt
	build/fuzz-driver --syzkaller $abi | diff -u $file - || fail "$file: build/fuzz-driver --syzkaller $abi >$file"
	out=$(faults $file "$header")
	[ -z "$out" ] || fail "$file: $out"
	# And they would be seen: without its last ioctl, without a field, without a set of flags.
	sed "$(grep -n '^ioctl' $file | tail -n 1 | cut -d: -f1)d" $file >"$dir/less"
	[ -n "$(faults "$dir/less" "$header")" ] || fail "$abi: an ioctl less is not seen"
	sed -E '0,/^\tpad\t/{/^\tpad\t/d}' $file >"$dir/less"
	[ -n "$(faults "$dir/less" "$header")" ] || fail "$abi: a field less is not seen"
	sed '0,/^drm_.* = /{/^drm_.* = /d}' $file >"$dir/less"
	[ -n "$(faults "$dir/less" "$header")" ] || fail "$abi: flags that are not defined are not seen"
done
build/fuzz-driver --syzkaller panfrost | grep -q -- '--syzkaller: lima, etnaviv or limn' || fail "--syzkaller panfrost"
exit $bad
