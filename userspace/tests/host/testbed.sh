#!/bin/bash
# SPDX-License-Identifier: MIT
# What scripts/testbed promises: streams, exit status, the host unharmed, splats noticed,
# nothing left behind. With the mainline driver, so that our own cannot be to blame.
set -u
testbed="scripts/testbed --driver lima --timeout 60"
dir=out/check/testbed.d
rm -rf "$dir"
mkdir -p "$dir"
failed=0

expect() { # WHAT WANTED GOT
	if [ "$2" != "$3" ]; then
		echo "FAILED: $1: wanted '$2', got '$3'"
		failed=1
	fi
}

# For a GPU that it does not know, scripts/testbed brings the model up to date; what make says then is not its line.
make -s build/dtb/all >/dev/null || exit 1

# Standard streams are separate and exact, in both directions.
head -c 200000 /dev/urandom >"$dir/in"
$testbed -- sh -c 'cat; echo to-stderr >&2; exit 3' <"$dir/in" >"$dir/out" 2>"$dir/err"
expect "exit status" 3 $?
cmp "$dir/in" "$dir/out" || failed=1
expect "stderr" to-stderr "$(cat "$dir/err")"
head -c 200000 "$dir/in" | $testbed -- cat | cmp "$dir/in" - || failed=1
$testbed -- sh -c 'kill -9 $$'
expect "killed command" 137 $?
$testbed -- ./no-such-command 2>/dev/null
expect "no such command" 127 $?

# Same folder, which is writable; nothing else of the host is.
victim=$(mktemp -d)
(cd "$dir" && ../../../scripts/testbed --driver lima -- sh -c "
	pwd >pwd; echo x >'$victim/new'; cat '$victim/new'; rm -rf /etc/hostname") >"$dir/out"
expect "working directory" "$PWD/$dir" "$(cat "$dir/pwd")"
expect "throw-away write" x "$(cat "$dir/out")"
expect "write outside" "" "$(ls "$victim")"
[ -e /etc/hostname ] || { echo "FAILED: the guest removed a file of the host"; failed=1; }
$testbed --rw "$victim" -- sh -c "echo y >'$victim/new'"
expect "--rw" y "$(cat "$victim/new" 2>/dev/null)"
rm -rf "$victim"

# The driver is there, from the standard binding.
$testbed --gpu mali-400-mp4 --log "$dir/log" -- test -c /dev/dri/renderD128
expect "render node" 0 $?
grep -q "Initialized lima 1.1.0" "$dir/log" || { echo "FAILED: no lima in the log"; failed=1; }
grep -q "pp3 - mali400" "$dir/log" || { echo "FAILED: mp4 has no pp3"; failed=1; }

# A driver that finds no GPU of its kind is an error, not a quiet fall-back.
scripts/testbed --driver etnaviv --timeout 60 -- true 2>"$dir/err"
expect "driver does not bind" 125 $?
grep -q "etnaviv did not bind" "$dir/err" || { echo "FAILED: unbound driver: no reason"; failed=1; }
scripts/testbed --gpu none --timeout 60 -- true
expect "no GPU" 0 $?

# A wrong command line: status 2, one line, nothing started.
refused() { # OPTION...
	scripts/testbed "$@" -- touch "$dir/started" 2>"$dir/err"
	expect "$*" 2 $?
	expect "lines of $*" 1 "$(wc -l <"$dir/err")"
	[ ! -e "$dir/started" ] || { echo "FAILED: $* was taken"; failed=1; rm "$dir/started"; }
}
refused --gpu mali-9000
refused --driver panfrost
refused --kernel odd
refused --seed x
refused --seed -1
refused --memory 0
refused --memory 512M
refused --timeout 5s
refused --timeout 0
refused --log

# Splats, with the kernel's own test module for them.
for what in WARNING EXCEPTION PANIC; do
	$testbed -- sh -c "modprobe lkdtm && echo $what >/sys/kernel/debug/provoke-crash/DIRECT" 2>"$dir/err"
	expect "$what" 125 $?
	grep -q lkdtm "$dir/err" || { echo "FAILED: $what: no log"; failed=1; }
done

# However it ends, nothing stays.
tag=limn-testbed-test-$$
for signal in INT TERM KILL; do
	rm -f "$dir/out"	# of the one before, with the same words
	$testbed -- sh -c "echo $tag; sleep 100" >"$dir/out" 2>/dev/null &
	pid=$!
	for _ in $(seq 100); do
		grep -q $tag "$dir/out" 2>/dev/null && break
		sleep 0.1
	done
	# Processes come and go meanwhile: awk alone would give up at the first that has gone.
	tree=$(cat /proc/[0-9]*/status 2>/dev/null | awk -v p=$pid '/^Pid:/ { pid = $2 } /^PPid:/ { parent[pid] = $2 }
		END { for (q in parent) for (a = q; a; a = parent[a]) if (a == p) print q }')
	[ "$(echo "$tree" | wc -w)" -ge 3 ] || { echo "FAILED: only '$tree' runs"; failed=1; }
	# ignored by background jobs of a script unless sent for certain
	kill -$signal $pid
	wait $pid 2>/dev/null
	sleep 0.5
	for process in $tree; do
		if [ -e "/proc/$process/exe" ] && [ "$(awk '/^State/ { print $2 }' "/proc/$process/status")" != Z ]; then
			echo "FAILED: SIG$signal left process $process: $(tr '\0' ' ' <"/proc/$process/cmdline")"
			failed=1
		fi
	done
done
exit $failed
