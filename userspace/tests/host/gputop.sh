#!/bin/bash
# SPDX-License-Identifier: MIT
# IGT's gputop, unmodified, shows a client of limn.ko with its engines and memory, on both families. Debian has it
# since 13; on 12 that package's is unpacked into the cache, with the C library that it wants, and nothing else.
# Skips when there is none to be had. (Debian's nvtop knows its drivers by name, and none of these.)
set -u
say() { echo "gputop: $*"; }

cache=${XDG_CACHE_HOME:-$HOME/.cache}/limn/gputop
gputop=$(command -v gputop) && run=("$gputop") || {
	if [ ! -e "$cache/done" ]; then
		work=$cache/work
		rm -rf "$cache"
		mkdir -p "$work"
		scripts/debian/apt "$(dpkg --print-architecture):trixie" extract "$work/root" intel-gpu-tools libc6 || exit
		cp "$work/root/usr/bin/gputop" "$cache" && cp -r "$work/root/usr/lib"/*-linux-gnu "$cache/lib" || exit 1
		rm -rf "$work"
		touch "$cache/done"
	fi
	run=("$cache"/lib/ld-linux-*.so.* --library-path "$cache/lib" "$cache/gputop")
}
make -s build/limn || exit 1

failed=0
shows() {	# GPU JOB ENGINE...
	local gpu=$1 job=$2
	shift 2
	scripts/testbed --gpu "$gpu" --driver limn --timeout 200 -- bash -c '
		build/limn bench "$0" --seconds 300 >/dev/null 2>&1 &
		python3 userspace/tests/host/lib/watch-gputop.py "$@"
		status=$?
		kill %1
		exit $status' "$job" "$*" "${run[@]}" || { say "$gpu: not as it should be"; failed=1; }
}

shows mali-400-mp4 userspace/tool/examples/triangle.limn gp pp
shows gc3000 userspace/tool/examples/vivante/triangle.limn gc3000.0
exit $failed
