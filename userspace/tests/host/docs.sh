#!/bin/bash
# SPDX-License-Identifier: MIT
# The documentation is built without a warning; every ioctl of the extension ABI has an example,
# and every example is in the documentation and compiles, as C and as C++.
set -u

header=include/uapi/drm/limn_drm.h
rst=Documentation/gpu/limn/uapi.rst
examples=Documentation/gpu/limn/examples
status=0

fail() {
	echo "$*"
	status=1
}

for ioctl in $(sed -n 's/^#define DRM_IOCTL_LIMN_\([A-Z_]*\).*/\1/p' $header); do
	file=${ioctl,,}.c
	[ -e $examples/$file ] || fail "$file: DRM_IOCTL_LIMN_$ioctl has no example"
	grep -q "DRM_IOCTL_LIMN_$ioctl\b" $examples/$file || fail "$file: does not use DRM_IOCTL_LIMN_$ioctl"
	grep -q "examples/$file" $rst || fail "$file: is not in $rst"
done
for struct in $(sed -n 's/^struct \(drm_limn_[a-z_]*\) {/\1/p; s/^enum \(drm_limn_[a-z_]*\) {/\1/p' $header); do
	grep -qw "$struct" $rst || fail "$struct is not in $rst"
done
for file in $examples/*.c; do
	flags="-I include/uapi -I build/include -I /usr/include/libdrm -Wall -Wextra -Werror -c -o /dev/null"
	# shellcheck disable=SC2086
	gcc -std=gnu11 $flags "$file" || fail "$file: does not compile"
done
echo '#include <drm/limn_drm.h>' | g++ -x c++ -I include/uapi -I /usr/include/libdrm -Wall -Wextra -Werror \
	-fsyntax-only - || fail "$header: not for C++"
[ $status = 0 ] || exit 1
exec scripts/docs
