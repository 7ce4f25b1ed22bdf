#!/bin/bash
# SPDX-License-Identifier: MIT
# What editors and shells get: Vim's syntax files and the TextMate grammar colour each kind of word of a
# line of every instruction set, every op of the tables and every word of job files; bash completes commands, sets and options (zsh and fish ask the same), and the man page has every
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
	bifrost|*FMA_RSCALE.f32 t0, r0, r1, r2, u0.w0 // note|FMA=limnOp=operator|r1=limnRegister=type|u0=limnRegister=type|note=limnComment=comment
	END
}

declare -A set_of=([gp]=utgard-gp [pp]=utgard-pp [viv]=vivante [midgard]=midgard [bifrost]=bifrost)
while IFS='|' read -r ending line words; do
	# Bifrost's are in clauses.
	[ $ending = bifrost ] && printf '{\n%s\n}\n' "$line" >$dir/whole.$ending || echo "$line" >$dir/whole.$ending
	echo "$line" >$dir/sample.$ending
	limn asm -i "${set_of[$ending]}" -o $dir/sample.bin $dir/whole.$ending ||
		fail "the sample for .$ending does not assemble"
done < <(samples)
command -v vim >/dev/null || echo "no vim: its syntax files are not checked"
samples | python3 userspace/tests/host/lib/editors.py build/limn $dir || status=1

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
	for option in $(limn "$command" --help 2>&1 | grep -oE -- '^  (-., )?--[a-z][a-z0-9-]*' | grep -oE -- '--[a-z][a-z0-9-]*'); do
		completes "$option" limn "$command" "${option:0:4}"
	done
done
for isa in $(limn isa); do
	completes "$isa" limn disasm -i "${isa:0:8}"
done
completes mali-450-mp8 limn run --model mali-45
completes gc7000l limn info --model gc7
completes points limn vue --output po
# Files where nothing else can stand.
completes README.md limn asm README.m
for shell in zsh fish; do
	command -v $shell >/dev/null || { echo "no $shell: its completion is not checked"; continue; }
	$shell -n userspace/editors/$shell/*limn* || fail "$shell does not take its completion"
done
# As the shells call it: zsh by the name in its first line, with what it would offer printed.
zsh_offers() { # WORD...
	# shellcheck disable=SC2016
	zsh -fc 'fpath=($PWD/userspace/editors/zsh $fpath); autoload -Uz compinit; compinit -D -u; [[ $_comps[limn] == _limn ]] || exit 1
		compadd() { shift; print -l -- "$@"; }; _files() { print a-file; }; words=("$@"); CURRENT=$#; _limn' zsh "$@"
}
fish_offers() { fish --no-config -c "source userspace/editors/fish/limn.fish; complete -C '$*'"; }
for shell in zsh fish; do
	command -v $shell >/dev/null || continue
	while read -r wanted words; do
		# shellcheck disable=SC2086
		${shell}_offers $words 2>&1 | cut -f1 | grep -qx -e "$wanted" || fail "$shell does not complete '$words' to $wanted: $(${shell}_offers $words 2>&1 | head -3)"
	done <<-END
		report limn rep
		--strict limn run --str
		mali-450-mp8 limn run --model mali-45
		utgard-pp limn asm -i utgard-p
	END
done
if command -v zsh >/dev/null; then
	[ "$(zsh_offers limn asm READ)" = a-file ] || fail "zsh completes no file"
fi

# man
make -s man
for page in build/man/limn.1 build/man/limn-job.5 Documentation/man/limn-igt.1; do
	command -v groff >/dev/null || { echo "no groff: the man pages are not formatted"; break; }
	warnings=$(groff -ww -man -Tutf8 -z $page 2>&1)
	[ -z "$warnings" ] || fail "$page: $warnings"
done
text=$(sed 's/\\-/-/g; s/\\fR,\\fB\\ /, /; s/"//g' build/man/limn.1)
for command in $commands; do
	for option in $(limn "$command" --help 2>&1 | grep -oE -- '^  (-., )?--[a-z][a-z0-9-]*' | grep -oE -- '--[a-z][a-z0-9-]*' | grep -vx -- --help); do
		sed -n "/^\.BI $command /,/^\.RE/p" <<<"$text" | grep -q -- "^\.BI .*$option\b" ||
			fail "limn.1 does not have $option of limn $command"
	done
done
exit $status
