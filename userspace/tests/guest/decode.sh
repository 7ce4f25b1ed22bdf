#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver limn --module-params sched_timeout_ms=500
# testbed: --driver limn --module-params sched_timeout_ms=500 --gpu mali-450-mp4
# limn decode on what jobs that fail leave in devcoredump: where the unit stopped, and why.
set -u
dump=/tmp/job.dump

decodes() {	# SUBTEST TEXT...
	local subtest=$1 data i text
	shift
	build/igt-tests/lima_hang --run-subtest "$subtest" >/dev/null 2>&1
	for ((i = 0; i < 100; i++)); do
		data=$(echo /sys/class/devcoredump/devcd*/data)
		[ -e "$data" ] && break
		sleep 0.05
	done
	cat "$data" >$dump && echo 1 >"$data" || { echo "$subtest: no dump"; exit 1; }
	build/limn decode $dump >/tmp/text || { echo "$subtest: limn decode failed"; exit 1; }
	build/limn decode --all $dump >/dev/null || { echo "$subtest: limn decode --all failed"; exit 1; }
	python3 userspace/tests/host/lib/decode-json.py $dump || { echo "$subtest: --json"; exit 1; }
	for text in "process: lima_hang" "$@"; do
		grep -q -- "$text" /tmp/text || { echo "$subtest: no '$text' in"; cat /tmp/text; exit 1; }
	done
}

decodes gp-endless "error: -110" "PLBU active" "the list comes back to where it has been" "=> .*jump to" \
	"in short: gp was at its first draw of its PLBU list and stopped at .*: the list comes back to where it has been"
decodes gp-invalid "error: -5" "invalid PLBU command" "=> .*no such command"
decodes gp-store-unmapped "error: -14" "page fault: write of 0x7f000000" "it writes 0x7f000000" "=> .*store register" \
	"in short: gp .* it writes 0x7f000000, where nothing is mapped for that"
decodes gp-unmapped "page fault: read of 0x7f000000" "=> 7f000000: no memory"
decodes gp-count "error: -110" "=> .*draw: 4 triangles" \
	"in short: gp was at its first draw of its PLBU list and stopped at .*: 4 vertices do not fit the mode of this draw: hangs"
decodes gp-semaphore "error: -110" "in short: gp .*: it waits for a semaphore of the VS, whose list raises it 0 times"
decodes pp-endless "error: -110" "pp0 .*rendering" "tile (0, 0)" "=> .*jump to"
decodes pp-invalid "error: -5" "invalid polygon list command" "=> .*no such command"
decodes pp-endless-shader "error: -110" "triangle: vertices 0, 1, 2" "fragment shader at" "branch 0" \
	"in short: pp0 was drawing tile 0, 0 and did not come out of the fragment shader at .*, whose instruction at word 0 branches: .*branch 0"
decodes pp-write-unmapped "page fault: write of 0x7f0000" "while the unit wrote"
head -c 1000 $dump >$dump.cut
build/limn decode $dump.cut | grep -q incomplete || { echo "a dump that is cut does not say so"; exit 1; }
echo "10 dumps read"
