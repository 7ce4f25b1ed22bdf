#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver limn --module-params sched_timeout_ms=500
# testbed: --driver limn --module-params sched_timeout_ms=500 --gpu mali-450-mp4
# limn decode on what jobs that fail leave in devcoredump: where the unit stopped, and why.
set -u
dump=/tmp/job.dump

fetch() {	# NAME
	local data i
	for ((i = 0; i < 100; i++)); do
		data=$(echo /sys/class/devcoredump/devcd*/data)
		[ -e "$data" ] && break
		sleep 0.05
	done
	cat "$data" >$dump && echo 1 >"$data" || { echo "$1: no dump"; exit 1; }
}

decodes() {	# SUBTEST TEXT...
	local subtest=$1 text
	shift
	build/igt-tests/lima_hang --run-subtest "$subtest" >/dev/null 2>&1
	fetch "$subtest"
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

# Of a job file its line is told: of the second draw's fragment shader, of the third one's vertex shader, of the draw whose indices are nowhere.
lines() {	# NAME SED PATTERN TEXT: how jobs/three.limn is changed, the line that is to be told
	local line
	sed "$2" userspace/tests/jobs/three.limn >/tmp/job.limn
	line=$(grep -n -- "$3" /tmp/job.limn | tail -1 | cut -d: -f1)
	build/limn run -q /tmp/job.limn -o /tmp/job.png 2>/dev/null && { echo "$1: it does not fail"; exit 1; }
	fetch "$1"
	build/limn decode --job /tmp/job.limn $dump >/tmp/text || { echo "$1: decode --job failed"; exit 1; }
	grep -q "in short: .*(/tmp/job.limn:$line: that is the $4" /tmp/text || { echo "$1: not line $line, $4:"; cat /tmp/text; exit 1; }
	build/limn decode --json --job /tmp/job.limn $dump | python3 -c "import json, sys
units = json.load(sys.stdin)['jobs'][0]['units']
assert any(l.get('source', {}).get('line') == $line for u in units for l in u['lists']), units" || { echo "$1: --json"; exit 1; }
	# Another job's lines are not told.
	build/limn decode --job userspace/tests/jobs/endless.limn $dump >/tmp/text 2>&1 && { echo "$1: it is of another job too"; exit 1; }
	[ "$(wc -l </tmp/text)" = 1 ] && grep -q "it is not a dump of that job" /tmp/text || { cat /tmp/text; exit 1; }
}

lines fragment '/^# second/,/^draw/ s/load.v $0 0, stop/load.v $0 0\nagain:\n\tbranch again/' "branch again" "fragment shader of draw 2"
# The instruction that branches past the end begins with the line that loads its attribute.
lines vertex '/^# third/,/^draw/ s/mov.m1 ^_\/v1.w a1.w/&\n\tmov.p ^p a1.x\n\tbranch ^p 99/' "mov.a0 ^_/v1.x a1.x" "vertex shader of draw 3"
lines indices '/^# second/,/^draw/ s/^draw.*/indices u16 { 0 1 2 }\nstate PLBU_REG.INDICES 0x70000000\ndraw-indexed rectangle 0 3\nstate off/' \
	"^draw-indexed" "PLBU commands of draw 2"
head -c 1000 $dump >$dump.cut
build/limn decode $dump.cut | grep -q incomplete || { echo "a dump that is cut does not say so"; exit 1; }
echo "13 dumps read"
