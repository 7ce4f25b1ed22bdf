#!/bin/bash
# SPDX-License-Identifier: MIT
# What editors and shells get: Vim's syntax files and the TextMate grammar colour each kind of word of a
# line of every instruction set, bash completes commands, sets and options, and the man page has every
# command with every option that its help names.
set -u
make -s build/limn || exit 1
PATH=$PWD/build:$PATH
dir=out/check/editors.d
rm -rf $dir
mkdir -p $dir
status=0
fail() { echo "FAIL: $*"; status=1; }

# Lines that the assemblers take, and in each a word of every kind: WORD=VIM GROUP=TEXTMATE SCOPE.
samples() {
	cat <<-'END'
	gp|start: mul.m0 ^1 a0.x $2.y, set pass_op 3 # note|start=limnLabel=label|mul=limnOp=operator|^1=limnResult=variable|a0=limnRegister=type|$2=limnRegister=type|set=limnDirective=preprocessor|note=limnComment=comment
	pp|top: add.v1 $0 ^v0 $2, mul.v0 $1 $2, const0 1.5 0.0 0.0 0.0, stop # note|top=limnLabel=label|add=limnOp=operator|$0=limnRegister=type|^v0=limnPipe=variable|const0=limnDirective=preprocessor|1.5=limnNumber=numeric|stop=limnFlow=control|note=limnComment=comment
	viv|here: add.sat t1.xyz_, u2.xxxx, void, t3 ; note|here=limnLabel=label|add=limnOp=operator|t1=limnRegister=type|u2=limnRegister=type|void=limnVoid=type|note=limnComment=comment
	midgard|vmul.FMUL.f32 R0, R1, R2, set vec.shrink 1 // note|vmul=limnUnit=operator|FMUL=limnOp=operator|R1=limnRegister=type|set=limnDirective=preprocessor|note=limnComment=comment
	bifrost|*FMA_RSCALE.f32 port0, port1, port2, fau_lo # note|FMA=limnOp=operator|port1=limnRegister=type|fau_lo=limnRegister=type|note=limnComment=comment
	END
}

declare -A set_of=([gp]=utgard-gp [pp]=utgard-pp [viv]=vivante [midgard]=midgard [bifrost]=bifrost)
while IFS='|' read -r ending line words; do
	echo "$line" >$dir/sample.$ending
	limn asm -i "${set_of[$ending]}" -o $dir/sample.bin $dir/sample.$ending ||
		fail "the sample for .$ending does not assemble"
	command -v vim >/dev/null || continue
	vim -u NONE -N -es --cmd "set rtp^=$PWD/userspace/editors/vim" -c 'filetype on' -c 'syntax on' \
		-c "edit $dir/sample.$ending" \
		-c "call writefile(map(range(1, col('\$') - 1), 'synIDattr(synID(1, v:val, 1), \"name\")'), '$dir/groups')" \
		-c 'qa!' </dev/null >/dev/null 2>&1
	IFS='|' read -ra list <<<"$words"
	for entry in "${list[@]}"; do
		IFS='=' read -r word group _ <<<"$entry"
		before=${line%%"$word"*}
		have=$(sed -n "$((${#before} + 1))p" $dir/groups)
		[ "$have" = "$group" ] || fail "vim shows $word of .$ending as '$have', not $group"
	done
done < <(samples)
command -v vim >/dev/null || echo "no vim: its syntax files are not checked"

samples | python3 -c '
import json, re, sys
from pathlib import Path
folder = Path("userspace/editors/vscode")
package = json.loads((folder / "package.json").read_text())["contributes"]
grammars = {g["scopeName"]: json.loads((folder / g["path"]).read_text()) for g in package["grammars"]}
endings = {e: "source." + l["id"] for l in package["languages"] for e in l["extensions"]}
bad = 0
for scope, grammar in grammars.items():
    if grammar["scopeName"] != scope:
        print("FAIL:", scope, "is", grammar["scopeName"], "in its file")
        bad = 1

def rules(scope):
    for pattern in grammars[scope]["patterns"]:
        if "include" in pattern:
            yield from rules(pattern["include"])
        else:
            yield pattern["name"], re.compile(pattern["match"])

def scopes(line, scope):
    """By column, as TextMate does: the rule that matches first wins, of two at a place the one above."""
    shown, at = [""] * len(line), 0
    while at < len(line):
        found = [(m.start(), i, name, m) for i, (name, r) in enumerate(rules(scope)) for m in [r.search(line, at)] if m and m.end() > at]
        if not found:
            break
        start, _, name, m = min(found, key=lambda f: f[:2])
        shown[start:m.end()] = [name] * (m.end() - start)
        at = m.end()
    return shown

for row in sys.stdin.read().splitlines():
    ending, line, *words = row.split("|")
    shown = scopes(line, endings["." + ending])
    for word, _, scope in (w.split("=") for w in words):
        have = shown[line.index(word)]
        if scope not in have.split("."):
            print(f"FAIL: TextMate: {word} of .{ending} is \"{have}\", not {scope}")
            bad = 1
sys.exit(bad)
' || status=1

# bash
complete() { :; }
. userspace/editors/bash/limn
completes() {	# WANTED WORD...
	local wanted=$1
	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_limn
	[[ " ${COMPREPLY[*]} " == *" $wanted "* ]] || fail "bash does not complete '$*' to $wanted: ${COMPREPLY[*]}"
}
commands=$(limn help | awk '/^  /{print $1}')
[ "$(wc -w <<<"$commands")" -ge 10 ] || fail "limn help lists too few commands"
for command in $commands; do
	completes "$command" limn "${command:0:2}"
	for option in $(limn "$command" --help 2>&1 | grep -oE -- '(^|[^a-z-])--[a-z][a-z0-9-]*' | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u); do
		completes "$option" limn "$command" "${option:0:4}"
	done
done
for isa in $(limn isa); do
	completes "$isa" limn disasm -i "${isa:0:8}"
done
completes mali-450-mp8 limn run --model mali-45
completes gc7000l limn info --model gc7

# man
page=Documentation/man/limn.1
if command -v groff >/dev/null; then
	warnings=$(groff -ww -man -Tutf8 -z $page 2>&1)
	[ -z "$warnings" ] || fail "$page: $warnings"
else
	echo "no groff: the man page is not formatted"
fi
text=$(sed 's/\\-/-/g; s/"//g' $page)
for command in $commands; do
	grep -q "^\.BI $command " <<<"$text" || fail "$page does not have limn $command"
	for option in $(limn "$command" --help 2>&1 | grep -oE -- '(^|[^a-z-])--[a-z][a-z0-9-]*' | grep -oE -- '--[a-z][a-z0-9-]*' | grep -vx -- --help | sort -u); do
		sed -n "/^\.BI $command /,/^\.TP/p" <<<"$text" | grep -q -- "$option\b" ||
			fail "$page does not have $option of limn $command"
	done
done
exit $status
