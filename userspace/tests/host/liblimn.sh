#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 600
# liblimn for other people's programs: the example of its page and lib/programs are compiled with what make install-lib
# installs and pkg-config says, and run on the drivers of both families; and captured there, and replayed.
set -u
dir=$PWD/out/check/liblimn.d
rm -rf "$dir"
make -s build/limn build/liblimn-capture.so || exit 1
make -s install-lib DESTDIR="$dir/root" PREFIX=/usr LIBDIR=/usr/lib >/dev/null || exit 1
failed=0
fail() { echo "FAIL: $*"; failed=1; }

[ "$(wc -l <userspace/lib/examples/triangle.c)" -le 60 ] || fail "the example is of more than 60 lines"
flags=$(PKG_CONFIG_SYSROOT_DIR="$dir/root" PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 PKG_CONFIG_PATH="$dir/root/usr/lib/pkgconfig" \
	pkg-config --cflags --libs liblimn | sed "s# -I$dir/root/usr/include/libdrm# $(pkg-config --cflags libdrm)#g") || exit 1
for source in userspace/lib/examples/triangle.c userspace/tests/lib/programs/{verbs,reader}.c; do
	# shellcheck disable=SC2086
	gcc -std=gnu11 -O1 -Wall -Wextra -Werror -Wno-missing-field-initializers -o "$dir/$(basename $source .c)" $source $flags || exit 1
done
for header in $(cd "$dir/root/usr/include/liblimn" && echo lib/limn.h isa/isa.h isa/mbs.h lib/*/*.h); do
	# shellcheck disable=SC2086
	echo "#include <$header>" | gcc -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -xc - $flags || fail "$header does not stand alone"
done

for row in "limn mali-400-mp2" "lima mali-450-mp4" "etnaviv gc2000" "limn gc2000" "limn gc7000l" "etnaviv gc7000l"; do
	# shellcheck disable=SC2086
	set -- $row
	# shellcheck disable=SC2016
	scripts/testbed --driver "$1" --gpu "$2" --strict --rw "$dir" -- bash -c 'cd "$0" && export LD_LIBRARY_PATH=$0/root/usr/lib &&
		./triangle && ./verbs' "$dir" >"$dir/out" 2>&1 && grep -q "^all verbs" "$dir/out" || fail "$row: $(head -20 "$dir/out")"
	# Threads, imported BOs and submits that wait for another thread, recorded and run again.
	# shellcheck disable=SC2016
	scripts/testbed --driver "$1" --gpu "$2" --rw "$dir" -- bash -c 'export LD_LIBRARY_PATH=$0/root/usr/lib
		build/limn capture -q --results -o "$0/capture" -- "$0/verbs"
		case $1 in limn) "$0/reader" "$0/capture" /dev/dri/renderD128 ;; *) "$0/reader" "$0/capture" ;; esac' "$dir" "$1" >"$dir/out" 2>&1 && grep -q "^all verbs" "$dir/out" &&
		grep -qE "^[0-9]+ jobs, [0-9]+ BOs(, [0-9]+ again, 0 results differ)?$" "$dir/out" &&
		build/limn replay "$dir/capture" >"$dir/out" 2>&1 && grep -q "as recorded" "$dir/out" || fail "$row, captured: $(head -20 "$dir/out")"
	# And on the other driver of that GPU, which would choose other addresses.
	case $row in *limn*mali*) other=lima ;; limn*) other=etnaviv ;; *) other=limn ;; esac
	scripts/testbed --driver $other --gpu "$2" -- build/limn replay "$dir/capture" --device /dev/dri/renderD128 >"$dir/out" 2>&1 &&
		grep -q "as recorded" "$dir/out" || fail "$row, again on $other: $(head -20 "$dir/out")"
	# Inside and outside of the triangle.
	pixels=$(for at in $((64 * 128 + 64)) $((4 * 128 + 4)); do tail -c +$((16 + 3 * at)) "$dir/triangle.ppm" | od -An -tu1 -N3; done)
	[ "$(echo $pixels)" = "255 77 0 40 40 40" ] || fail "$row: the picture: $pixels"
done
head -c 1000 "$dir/capture" >"$dir/cut"
LD_LIBRARY_PATH=$dir/root/usr/lib "$dir/reader" "$dir/cut" >"$dir/out" && grep -q damaged "$dir/out" || fail "a cut capture: $(cat "$dir/out")"
LD_LIBRARY_PATH=$dir/root/usr/lib "$dir/reader" userspace/lib/limn.h 2>"$dir/out"
[ $? = 1 ] && grep -q "^userspace/lib/limn.h: " "$dir/out" || fail "no capture: $(cat "$dir/out")"
exit $failed
