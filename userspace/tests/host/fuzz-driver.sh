#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# The fuzzer of the driver: its grammar has every ioctl of the three headers, a bad program is refused with its
# place, a crash is found and made short, and a short run of each family ends well. Long ones: make fuzz-driver.
set -u
[ -x build/fuzz-driver ] || { echo "no libigt.so.0: scripts/setup installs it"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
read -ra kasan < <(scripts/kernel/kasan) || exit 1
bad=0
fail() { echo "FAILED: $*"; bad=1; }

build/fuzz-driver --list >"$dir/list" || fail "$(cat "$dir/list")"
for header in build/include/drm/lima_drm.h build/include/drm/etnaviv_drm.h include/uapi/drm/limn_drm.h; do
	n=0
	for name in $(grep -oE '^#define DRM_IOCTL_(LIMA|ETNAVIV|LIMN)_[A-Z_]+' "$header" | sed 's/.*DRM_IOCTL_//' | tr A-Z a-z); do
		n=$((n + 1))
		grep -qE " ioctl $name$" "$dir/list" || fail "grammar.inc has no $name of $header"
	done
	[ $n -ge 7 ] || fail "$header has $n ioctls?"
done

refused() { # TEXT PLACE-AND-CAUSE
	echo "$1" >"$dir/program"
	build/fuzz-driver --replay "$dir/program" >"$dir/out" && fail "'$1' is not refused"
	grep -qF "program:$2" "$dir/out" || fail "'$1' should be refused with '$2', but: $(cat "$dir/out")"
}
refused 'p0 f0 lima_gem_creat size=1' "1:7: there is no call 'lima_gem_creat'"
refused 'p9 f0 lima_gem_create' '1:1: p9 is not below p4'
refused 'p0 f0 lima_gem_create bytes=1' "1:23: struct drm_lima_gem_create has no field 'bytes'"
refused 'p0 f0 lima_gem_create size=x' '1:28: a number is missing'
refused $'p0 f0 lima_gem_create size=1\np0 f0 gem_close handle=#16' '2:24: #16 is not below #16'
refused 'p0 f0 lima_gem_submit bos=*[{handle=#0' "1:39: '}' or a field of drm_lima_gem_submit_bo is missing"
refused 'p0 f0 gem_close handle=*[{}]' '1:25: handle is no array'
refused 'p0' "1:3: 'f' and a number are missing"
refused 'p0 f0 gem_close handle=1' "2:1: the program has no 'end': is the file cut?"
refused $'p0 f0 gem_close handle=1\nen' "2:1: 'p' and a number are missing"
refused $'p0 f0 gem_close handle=1\nend\np0 f0 gem_close han' "3:17: struct drm_gem_close has no field 'han'"
refused $'p0 f0 gem_close handle=1\nend of it' "2:5: this is behind the line's end"
refused 'p0 f0 gem_close handle=0x100000000' '1:24: handle has 32 bits'
refused 'p0 f0 lima_gem_wait timeout_ns=99999999999999999999' '1:32: the number is too big'
refused 'p0 f0 gem_close handle=1 handle=2' '1:26: a second handle'
refused 'p0 f0 lima_gem_create size=#1' '1:28: size is no slot'
refused '# nothing' ' there is no program in it'
printf 'p0 f0 gem_close\n\0end\n' >"$dir/program"
build/fuzz-driver --replay "$dir/program" | grep -q 'program:2: a byte that is 0' || fail "a program with a zero"
build/fuzz-driver --replay "$dir/none" | grep -q 'none: No such file' || fail "a file that is not there"
build/fuzz-driver --seed x | grep -q -- "--seed: 'x' is no number" || fail "--seed x"

# A crash is found, made as short as it can be, kept, and comes again: mainline's lima does not survive an unbind.
crash=out/fuzz-driver/lima-mali-400-mp2-plain/crash-1
rm -f $crash
scripts/fuzz-driver --driver lima --kernel plain --seconds 60 --seed 1 >"$dir/out" 2>&1 && fail "lima.ko survives"
tail -n 1 "$dir/out"
[ "$(wc -l <$crash)" -le 4 ] || fail "$(cat $crash)"
scripts/fuzz-driver --driver lima --kernel plain --replay $crash --repeat 20 >"$dir/out" 2>&1 && fail "$crash does no harm"
grep -qE 'WARNING|BUG' "$dir/out" || fail "$crash: $(cat "$dir/out")"
scripts/fuzz-driver --kernel plain --replay $crash --repeat 20 >"$dir/out" 2>&1 || fail "limn.ko: $crash: $(cat "$dir/out")"

# On one CPU: with four, a machine that is busy with other tests may leave a guest's CPU without time until RCU complains.
for gpu in mali-400-mp4 gc3000; do
	scripts/fuzz-driver --gpu $gpu "${kasan[@]}" --calls 8000 --seconds 300 --seed 1 --no-shrink >"$dir/out" 2>&1 || fail "$gpu: $(cat "$dir/out")"
	tail -n 1 "$dir/out"
	grep -E 'submit' "$dir/out"
	grep -qE 'submit .* [1-9][0-9]* succeeded' "$dir/out" || fail "$gpu: no job ran"
done
exit $bad
