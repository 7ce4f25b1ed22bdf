#!/bin/bash
# SPDX-License-Identifier: MIT
# testbed: --driver etnaviv --gpu gc2000
# testbed: --driver etnaviv --gpu gc3000
# testbed: --driver limn --gpu gc2000
# testbed: --driver limn --gpu gc3000
# testbed: --driver limn --gpu gc7000l
# limn decode on what jobs that hang leave in devcoredump, of mainline etnaviv (ETDUMP) and of limn:
# where the front end stopped, on which command, in which state, with which shader.
set -u
dump=/tmp/job.dump
kind=limn
[ -e /sys/module/etnaviv ] && kind=etnaviv

cat >/tmp/loop.limn <<'JOB'
vivante
target 64 64 supertiled
clear color 0.1 0.1 0.1 1
attribute 0 float2 { -0.8 -0.8   0.8 -0.8   0 0.8 }
outputs position t0
vertex-shader {
	mov	t0, void, void, t0
}
fragment-shader {
	branch	void, void, void, 0
	mov	t1, void, void, t1
}
draw triangles 0 3
JOB

fetch() {	# NAME
	local data i
	for ((i = 0; i < 400; i++)); do
		data=$(echo /sys/class/devcoredump/devcd*/data)
		[ -e "$data" ] && break
		sleep 0.05
	done
	cat "$data" >$dump && echo 1 >"$data" || { echo "$1: no dump"; exit 1; }
	# Mainline keeps the first one only, unless it is told again.
	[ $kind = limn ] || echo 1 >/sys/module/etnaviv/parameters/dump_core
}

decodes() {	# NAME TEXT...
	local name=$1 text
	shift
	fetch "$name"
	build/limn decode $dump >/tmp/text || { echo "$name: limn decode failed"; exit 1; }
	build/limn decode --all $dump >/tmp/all || { echo "$name: limn decode --all failed"; exit 1; }
	python3 userspace/tests/host/lib/decode-json.py $dump || { echo "$name: --json"; exit 1; }
	for text in "$@"; do
		grep -q -- "$text" /tmp/text || { echo "$name: no '$text' in"; cat /tmp/text; exit 1; }
	done
	[ "$(wc -l </tmp/all)" -gt "$(wc -l </tmp/text)" ] || { echo "$name: --all has no more"; exit 1; }
}

build/limn run /tmp/loop.limn -o /tmp/loop.png 2>/dev/null && { echo "the endless shader ended"; exit 1; }
decodes shader "$kind" "FE.DMA_ADDRESS" "busy: .*SH" "the front end is here" "=> " "states set before" "branch" \
	"In short: The shader core does not end, in or behind draw 0 of its stream: instruction 0 of its pixel shader goes back to 0: branch"
# The line of the job file is told, but not of another job.
at_line() {	# NAME JOB PATTERN WHAT
	local line
	line=$(grep -n -m1 -- "$3" "$2" | cut -d: -f1)
	build/limn decode --job "$2" $dump >/tmp/text || { echo "$1: decode --job failed"; exit 1; }
	grep -q "In short: .*($2:$line: that is the $4)\." /tmp/text || { echo "$1: not line $line, $4:"; cat /tmp/text; exit 1; }
	build/limn decode --job userspace/tests/jobs/vivante/frame.limn $dump >/tmp/text 2>&1 && { echo "$1: it is of another job too"; exit 1; }
	[ "$(wc -l </tmp/text)" = 1 ] && grep -q "it is not a dump of that job" /tmp/text || { cat /tmp/text; exit 1; }
}

at_line shader /tmp/loop.limn "branch" "fragment shader of draw 1, at line $(grep -n ^draw /tmp/loop.limn | cut -d: -f1)"
build/igt-tests/etnaviv_hang --run-subtest closed >/dev/null 2>&1
decodes stall "the front end is here" "=> .*STALL" "states set before" \
	"In short: The front end stopped at STALL, before any draw of its stream: STALL waits for a semaphore that this stream has not armed"

# What is known to hang (test_viv_hang), as far as a job file can say it: each is named, with the draw.
hangs() {	# NAME SED TEXT: how jobs/vivante/hang.limn is changed
	sed "$2" userspace/tests/jobs/vivante/hang.limn >/tmp/hang.limn
	build/limn run -q /tmp/hang.limn -o /tmp/hang.png 2>/dev/null && { echo "$1: it does not hang"; exit 1; }
	decodes "$1" "In short: .*draw 0 of its stream: $3: hangs"
}

hangs "too many inputs" "" "VS has 5 inputs, but 1 vertex elements are set"
hangs "too few inputs" 's/^state.*/state VS.INPUT_COUNT 0x100/' "VS has 0 inputs, but 1 vertex elements are set"
at_line inputs /tmp/hang.limn "^draw" "commands of draw 1, at line $(grep -n ^draw /tmp/hang.limn | cut -d: -f1)"
hangs "temporaries of VS" 's/mov\tt0, void, void, t0/&\n\tmov t3, void, void, t0/; s/^state.*/state VS.TEMP_REGISTER_CONTROL 2/' \
	"VS instruction 1 writes t3, but NUM_TEMPS is 2"
at_line temporaries /tmp/hang.limn "mov t3" "vertex shader of draw 1, at line $(grep -n ^draw /tmp/hang.limn | cut -d: -f1)"
hangs "temporaries of PS" 's/mov\tt1, void, void, u0/&\n\tmov t3, void, void, t1/; s/^state.*/state PS.TEMP_REGISTER_CONTROL 1/' \
	"PS instruction [0-9]* writes t1, but NUM_TEMPS is 1"
case $(build/limn info --json) in
*gc7000*) hangs "no program" 's/^state.*/state PS.HALTI5_RANGE_HIGH 0/' "PS runs from 0 to 0, which is no program" ;;
*) hangs "no program" 's/^state.*/state PS.END_PC 0\nstate PS.RANGE 0x100/' "PS runs from 256 to 1, which is no program" ;;
esac
head -c 1000 $dump >$dump.cut
build/limn decode $dump.cut 2>&1 | grep -q "incomplete\|cut off" || { echo "a dump that is cut does not say so"; exit 1; }
echo "dumps of $kind read"
