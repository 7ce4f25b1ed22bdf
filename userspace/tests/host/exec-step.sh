#!/bin/bash
# SPDX-License-Identifier: MIT
# limn exec --step, driven by scripts: breakpoints by instruction, line and condition, watches, registers of all lanes and of
# one, memory; what is wrong is said, and the run can be ended. Of each instruction set.
set -u
make -s build/limn || exit 1
dir=out/check/exec-step.d
rm -rf $dir
mkdir -p $dir
failed=0
fail() { echo "FAIL: $*"; failed=1; }

# COMMANDS (; between them), TEXT that is printed..., then after -- the arguments of limn exec.
debug() {
	local commands=$1 texts=() text
	shift
	while [ "$1" != -- ]; do texts+=("$1"); shift; done
	shift
	tr ';' '\n' <<<"$commands" | build/limn exec "$@" --step >$dir/out 2>&1 || { fail "$*: $commands: $(cat $dir/out)"; return; }
	for text in "${texts[@]}"; do
		grep -qF -- "$text" $dir/out || fail "$*: $commands: no '$text' in $(cat $dir/out)"
	done
}

cat >$dir/a.viv <<'END'
	mov t1, void, void, u0
	add t1.x, t1, void, t0

	mov t2, void, void, t1
	add t2.y, t2, void, t1
END
viv=("$dir/a.viv" --in u0=1,2,3,4 --in t0=2 --in t0@3=5)
debug "p t1;s;p t1;q" "at 0, $dir/a.viv:1, lanes 0xff" "t1 = 0 0 0 0" "t1 = 1 2 3 4" -- "${viv[@]}"
debug "b 2;c;p t1.x@3 t1.x;q" "break 0: 2" "at 2, $dir/a.viv:4" "t1.x@3 = 6" "t1.x = 3 3 3 6 3 3 3 3" -- "${viv[@]}"
debug "b :5;c;p t2@3;q" "at 3, $dir/a.viv:5" "t2@3 = 6 2 3 4" -- "${viv[@]}"
debug "b 2 if t1.x > 5;b 3 if t1.x@1 > 5;c;c" "break 0: 2 if t1.x > 5" "at 2" -- "${viv[@]}"
grep -q "at 3" $dir/out && fail "a condition of another lane is met: $(cat $dir/out)"
debug "w t2.y;c;p t2@0;d 0;c" "watch 0: t2.y" "at 3" "t2@0 = 3 2 3 4" -- "${viv[@]}"
debug "x 0x10 2;x 3;x 0 99999999" "0x00010: 0x3f800000 1" "0x00014: 0x40000000 2" "x ADDRESS [N]: an address" -- "${viv[@]}" --in mem16=1,2
debug "b 99;b :3;b 1 if q.x > 1;b 1 if t1 > 1;b x;foo;s 0;d 7;p t999 t1.q t1@9;i;q" "no instruction is at 99" "no instruction is at :3" \
	"not a condition: q.x > 1" "not a condition: t1 > 1" "no such command; h lists them" "s [N]: N is 1 to 1000000" "there is no 7" \
	"no register t999" "no register t1.q" "no register t1@9" -- "${viv[@]}"
debug "h;l;s 3;c" "breakpoint at an instruction" "mov               t2, void, void, t1.xyzw" "at 3" -- "${viv[@]}"
# Nobody is at the terminal: the shader runs as it would.
build/limn exec "${viv[@]}" >$dir/plain && build/limn exec "${viv[@]}" --step </dev/null | grep -v "^at 0\|^000:" | cmp - $dir/plain || fail "without commands"

debug "b 6;c;p ^texture v0;s;p \$0;q" "at 6, userspace/tests/isa/modulate.pp:4" "v0 = 1 0.5 0 1" "discarded" -- \
	userspace/tests/isa/modulate.pp --in v0=1,0.5,0,1 --in tex0=0.5,0.25,1,1
debug "s 2;p a0 t0;q" "at 2, userspace/tests/isa/matrix.gp" "a0 = 1 2 3 1" "t0 = 1 1 1 0" -- \
	userspace/tests/isa/matrix.gp --in a0=1,2,3,1 --in t0=1,1,1
echo "000a005a 0b418500 00720214 0410ff20 00001005 00000000 00000000 00000000 3f800000 40000000 00000000 00000000" \
	"c9e39815 08003839 00000030 00000000" >$dir/a.hex
debug "p r1;s;p r1;b :1;c" "at 0, lanes 0x" "at 12, lanes 0x" "r1 = 0 0 0 0" "r1 = 2 4 6 8" "r3 = 5 6 0 0" "the shader was no text" -- -i midgard --hex $dir/a.hex --in r0=1,2,3,4 --in v1=5,6
printf 'clause_0:\neos\n{\n*MOV.i32 r5:t0, r1\n+NOP t1\n}\n' >$dir/a.bifrost
debug "p r5;p r99;s" "at 0, " "r5 = 0" "r5 = 1.5" "no register r99" -- $dir/a.bifrost --in r1=1.5
# Any line of a bundle or clause is a place to stop, before it.
build/limn disasm -i midgard --hex $dir/a.hex >$dir/a.midgard
debug "b :2;b :99;b :5;c;p r1 r3;c" "break 0: :2" "no instruction is at :99" "break 1: :5" "at 12, $dir/a.midgard:5" "r1 = 2 4 6 8" \
	"r3 = 0 0 0 0" "r3 = 5 6 0 0" -- $dir/a.midgard --in r0=1,2,3,4 --in v1=5,6
printf 'clause_%s:\n%s\n{\n*MOV.i32 %s\n+NOP t1\n}\n' 0 nbb 'r5:t0, r1' 1 eos 'r6:t0, r5' >$dir/a.bifrost
debug "b :10;c;p r5;p r6;c" "break 0: :10" "at 4, $dir/a.bifrost:" "r5 = 1.5" "r6 = 0" "r6 = 1.5" -- $dir/a.bifrost --in r1=1.5
# The run ends there.
debug "q" -- $dir/a.bifrost --in r1=1.5
grep -q "r5 = " $dir/out && fail "q, and it ran on: $(cat $dir/out)"
echo 0 >$dir/commands
build/limn exec --step - <$dir/commands 2>$dir/out
[ $? = 2 ] && grep -q "the shader must be a file" $dir/out || fail "a shader from standard input: $(cat $dir/out)"
exit $failed
