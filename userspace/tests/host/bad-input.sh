#!/bin/bash
# SPDX-License-Identifier: MIT
# limn on what people type by mistake, and on what is no input at all: tool/bad-input.txt has a command line, the
# file that it reads, the exit status and what the first line says. Then byte order marks, ends of lines, lines
# of a megabyte, devices and pipes that take nothing, --help of all commands, and every exit status.
set -u
make -s build/limn || exit 1
limn=$PWD/build/limn
table=$PWD/userspace/tests/tool/bad-input.txt
good=$PWD/userspace/tool/examples/triangle.limn
dir=out/check/bad-input.d
rm -rf $dir
mkdir -p $dir
cd $dir || exit 1
failed=0
rows=0
fail() { echo "FAILED: $*"; failed=1; }

while IFS='|' read -r status command text wanted; do
	case $status in '#'* | '') continue ;; esac
	for word in $command; do
		# shellcheck disable=SC2059
		case $word in a | a.* | b.pp) printf "${text//%/%%}" >"$word" ;; esac
	done
	# shellcheck disable=SC2086
	timeout 20 "$limn" $command </dev/null >out 2>err
	is=$?
	[ -s err ] && said=$(head -1 err) || said=$(grep -m1 error out || head -1 out)
	[ $is = "$status" ] || fail "limn $command ($text): exit status $is, not $status: $said"
	[[ $said == *"$wanted"* ]] || fail "limn $command ($text): '$said', not '$wanted'"
	rows=$((rows + 1))
done <$table
[ $rows -ge 150 ] || fail "only $rows rows in $table"

# The same text with a byte order mark, with ends of lines of other systems, without a last one.
sed '1s/^/\xef\xbb\xbf/; s/$/\r/' "$good" >dos.limn
head -c -1 "$good" >short.limn
for job in dos short; do
	"$limn" run -q $job.limn --model mali-400-mp1 -o $job.ppm && "$limn" run -q "$good" --model mali-400-mp1 -o good.ppm &&
		cmp $job.ppm good.ppm || fail "$job.limn is drawn differently"
done
printf '\xef\xbb\xbfload.v $0 0, stop\r\n' >dos.pp
[ "$("$limn" asm dos.pp)" = "000000a3 f0003c60 00000000" ] || fail "asm of a text with a byte order mark and CRLF"

# Standard input is a job, or with --isa a shader.
[ "$("$limn" check - <"$good")" = "" ] || fail "check - of a job"
[[ "$(sed 's/^draw/darw/' "$good" | "$limn" check -)" == *"no statement 'darw'; did you mean draw?"* ]] || fail "check - of a job that is wrong"
"$limn" exec - <"$good" | grep -q '^\$0 =' || fail "exec - of a job"
[ "$(printf 'load.v $0 0, stop\n' | "$limn" check -i pp -)" = "" ] || fail "check - of a shader"
# Without --isa it is told by what takes its lines, though one is wrong; a word that nobody takes is a job's.
while IFS='|' read -r text looks; do
	# shellcheck disable=SC2059
	is=$(printf "${text//%/%%}" | "$limn" check - 2>&1 || echo $?)
	[[ $is == *"which instruction set? give --isa"*"this looks like $looks: --isa $looks"*2 ]] || fail "check - of a shader of $looks: $is"
done <<-'END'
	load.v $0 0, stop\n|utgard-pp
	mov t1, void, void, t0\nad t1, t1, void, t0\nmul t1, t1, t0, void\n|vivante
	ds(0) eos\n{\n*NOP t0\n+NOP t1\n}\n|bifrost
END
[[ "$(printf '\xef\xbb\xbfmov t1, void, void, t0\r\n' | "$limn" check - 2>&1)" == *"this looks like vivante"* ]] || fail "check - of a shader with a byte order mark"
[[ "$(printf '000000a3 f0003c60 00000000\n' | "$limn" check - 2>&1)" == *"which instruction set? give --isa"* ]] || fail "check - of words"
[[ "$(printf 'drwa a b\n' | "$limn" check - 2>&1)" == *"no statement 'drwa'; did you mean draw?"* ]] || fail "check - of one word"

# What takes longer than LIMN_PROGRESS_AFTER says on a terminal how long it will; not with -q, and not elsewhere.
export LIMN_PROGRESS_AFTER=0
told() { timeout 60 script -qec "'$limn' $*" /dev/null </dev/null | grep -oE "[0-9]+ of [0-9]+ $what, [0-9]+ s to go"; }
what=frames
for command in "run $good --model mali-400-mp1 --frames 3" "run $good --model mali-400-mp1 --frames 3 -o a.ppm"; do
	[ "$(told "$command" | wc -l)" = 3 ] || fail "no progress of $command"
	[ -z "$(told "$command" -q)" ] || fail "progress of $command with -q"
	# shellcheck disable=SC2086
	"$limn" $command 2>&1 | grep -q 'to go' && fail "progress of $command into a pipe"
	[ -z "$(LIMN_PROGRESS_AFTER=1000 told "$command")" ] || fail "progress of $command within 1000 s"
done
what=probes
[ -n "$(told probe --model gc2000 -o a.probe)" ] || fail "no progress of limn probe"
unset LIMN_PROGRESS_AFTER

# A binary that begins like a byte order mark is words all the same; - is standard output wherever a file is written.
printf '\xef\xbb\xbf\0\0\0\0\0' >mark.bin
[[ "$("$limn" disasm -i pp mark.bin)" == *0x00bfbbef* ]] || fail "disasm of words that begin as a mark: $("$limn" disasm -i pp mark.bin)"
"$limn" asm -q dos.pp -o dos.bin && "$limn" asm dos.pp -o - | cmp - dos.bin || fail "asm -o -"
[ ! -e - ] || fail "a file called - is written"

# A megabyte in a line: an error with a place, of bounded length.
for ending in limn pp viv; do
	head -c 1000000 /dev/zero | tr '\0' a >mega.$ending
	case $ending in limn) command=run ;; *) command=asm ;; esac
	timeout 20 "$limn" $command mega.$ending >out 2>err
	{ [ $? = 1 ] && grep -q "mega.$ending:1:1: " err && [ "$(wc -c <err)" -lt 2000 ]; } || fail "a line of a megabyte in .$ending"
done
head -c 1000000 /dev/zero | tr '\0' ' ' | "$limn" asm -i vivante - >out || fail "a megabyte of blanks"

# Nothing can be written.
printf 'load.v $0 0, stop\n' >good.pp
"$limn" asm -q good.pp -o good.bin
for command in "--version" "--help" "--man" "isa" "isa -i vivante" "info --models" "info --model gc2000" "asm good.pp" "disasm -i pp good.bin" \
	"exec good.pp" "exec --json good.pp" "exec --trace good.pp" "check --json good.pp" "info --statements" "decode -i vivante-fe good.bin" \
	"probe --list" "probe --model gc2000 -o -" "isa --coverage" "run --help" "vue" "run $good --model mali-400-mp1 --json" "run $good --model mali-400-mp1 -o -"; do
	# shellcheck disable=SC2086
	"$limn" $command >/dev/full 2>err && fail "limn $command >/dev/full succeeds"
	grep -q "^limn" err || fail "limn $command >/dev/full says nothing"
done
# No permission: of a job, of a device, of a place for the picture. Root may all, unless it gives that up.
touch no.limn no-device
mkdir -p no-folder
chmod 0 no.limn no-device no-folder
bare=
[ "$(id -u)" != 0 ] || bare="setpriv --bounding-set -dac_override,-dac_read_search"
while IFS='|' read -r status command wanted; do
	# shellcheck disable=SC2086
	$bare "$limn" $command </dev/null >out 2>err
	is=$?
	{ [ $is = "$status" ] && grep -qF "$wanted" err; } || fail "limn $command without permission: exit status $is, not $status: $(cat err)"
done <<-END
	1|run no.limn|no.limn: Permission denied
	1|asm -i pp no.limn|no.limn: Permission denied
	4|run $good --device no-device|no-device: Permission denied
	4|info --device no-device|no-device: Permission denied
	1|run -q $good --model mali-400-mp1 -o no-folder/a.png|no-folder/a.png: Permission denied
END
# The reader is gone: over at once, with no message of a crash.
for command in "isa -i midgard" "isa -i bifrost"; do
	# shellcheck disable=SC2086
	timeout 20 "$limn" $command 2>err | head -1 >/dev/null
	grep -q . err && fail "limn $command into a closed pipe: $(cat err)"
done

# An option has one letter and takes a value, or none, in all commands; a letter is one option.
for command in $("$limn" help | awk '/^  /{print $1}'); do
	"$limn" "$command" --help | sed -nE 's/^  ((-.), )?(--[a-z0-9-]+)( [A-Z])?.*/\3 \2 \4/p'
done | sed -E 's/ [A-Z]$/ value/; s/ +/ /g' | sort -u >options
cut -d' ' -f1 options | uniq -d | while read -r name; do fail "options differ: $(grep -x -- "$name .*" options | tr '\n' ';')"; done
grep -oE ' -. ' options | sort | uniq -d | grep -q . && fail "a letter of two options: $(grep -E ' -. ' options | sort -k2)"
[ "$(cut -d' ' -f1 options | uniq -d)" = "" ] || failed=1
for command in $("$limn" help | awk '/^  /{print $1}'); do
	"$limn" "$command" --help >out 2>err || fail "limn $command --help"
	[ -s err ] && fail "limn $command --help writes to standard error"
	for part in "^usage: limn $command" "^  -h, --help" "^example: limn $command"; do
		grep -q -- "$part" out || fail "limn $command --help has no '$part'"
	done
	# Its example names no option that it has not.
	for option in $(sed -n 's/^example: //p' out | grep -oE -- ' --[a-z-]+'); do
		grep -qE -- "^  (-., )?$option" out || fail "the example of limn $command has $option"
	done
done
"$limn" --version | grep -q "^limn [0-9].*" || fail "limn --version"
cd - >/dev/null || exit 1
for seed in 18 3; do
	python3 userspace/tests/tool/mistakes.py build/limn $dir $seed || failed=1
done
echo "$rows bad inputs"
exit $failed
