#!/bin/bash
# SPDX-License-Identifier: MIT
# limn probe in-process: every probe of every model has an answer, the same twice; a report that is cut,
# changed, of another chip or of another version is told by file, place and cause, and none is used.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
status=0
wrong() { echo "$*"; status=1; }

for gpu in $(build/limn info --models); do
	build/limn probe --risky --model "$gpu" -o "$dir/$gpu" >"$dir/text" 2>"$dir/err" || {
		grep -q 'no probe is for' "$dir/err" || wrong "$gpu: $(cat "$dir/err" "$dir/text")"
		continue
	}
	grep -E ' (other|failed) ' "$dir/text" && wrong "$gpu: the model has no answer"
	build/limn probe --risky --compare "$dir/$gpu" >"$dir/text" 2>&1 || wrong "$gpu: $(cat "$dir/text")"
	grep -qi "$(hostname)" "$dir/$gpu" && wrong "$gpu: the report names the host"
done

# refused STATUS TEXT ARGUMENT...
refused() {
	local want=$1 text=$2
	shift 2
	build/limn probe "$@" >"$dir/text" 2>&1
	[ $? = "$want" ] || wrong "limn probe $*: not status $want"
	grep -q -- "$text" "$dir/text" || wrong "limn probe $*: no '$text' in: $(cat "$dir/text")"
}
r=$dir/gc2000
head -c 900 "$r" >"$dir/cut"
sed 's/"answer": "top-left"/"answer": "bottom-left"/' "$r" >"$dir/edited"
sed 's/"kernel": ".*"/"kernel": "9.9"/' "$r" >"$dir/changed"
sed 's/"id": "viv-edge-rule"/"id": "viv-edge-rul"/' "$r" >"$dir/unknown"
head -n -1 "$r" >"$dir/open"
{ cat "$r" && echo more; } >"$dir/longer"
refused 1 'cut:[0-9]*: the report is cut off' --compare "$dir/cut"
refused 1 'open:[0-9]*: the report is cut off' --compare "$dir/open"
refused 1 'longer:[0-9]*: text behind the end' --compare "$dir/longer"
refused 1 'edited:[0-9]*: the sum is not' --compare "$dir/edited"
refused 1 'changed:[0-9]*: the sum is not' --compare "$dir/changed"
refused 1 'unknown:[0-9]*: ' --compare "$dir/unknown"
refused 1 'gc2000:5: a report of a gc2000' --compare "$r" --model gc3000
refused 1 'No such file' --compare "$dir/none"
refused 1 ':1: not a report' --compare "$0"
refused 2 'did you mean pp-edge-rule' pp-edge-rul --model mali-400-mp2
refused 2 'gc1' --model gc1
refused 2 'gc1' --list --model gc1
refused 0 'pp-edge-rule is not for a gc2000' --model gc2000 pp-edge-rule viv-edge-rule
refused 1 "$dir/none/report: No such file" --model gc2000 -o "$dir/none/report"
refused 4 '/dev/dri/none: No such file' --device /dev/dri/none
refused 4 '/dev/null' --device /dev/null
[ -e /dev/dri ] || refused 4 'no render node'

# A report with the nth other answer wherever model/profile.inc has one: the model follows it in all of that,
# and in nothing else.
for gpu in mali-400-mp2 gc2000 gc3000 gc7000l gc320; do
	build/limn probe --model $gpu | awk '{print $1, $2}' >"$dir/plain"
	for n in 1 2; do
		userspace/tests/host/lib/report.py plant "$dir/$gpu" "$dir/planted" "$dir/wanted" $n
		[ -s "$dir/wanted" ] || continue
		# Answers that their words are not: no report of a board.
		refused 1 'planted:[0-9]*: the words are not those of the answer' --compare "$dir/planted"
		build/limn probe --model $gpu --profile "$dir/planted" >"$dir/text" || wrong "$gpu: $(cat "$dir/text")"
		awk '{print $1, $2}' "$dir/text" | diff "$dir/plain" - | sed -n 's/^> //p' | sort >"$dir/changed"
		sort "$dir/wanted" | diff "$dir/changed" - || wrong "$gpu does not follow the report"
	done
done
refused 1 'cut:[0-9]*: the report is cut off' --model gc2000 --profile "$dir/cut"
refused 1 'edited:[0-9]*: the sum is not' --model gc2000 --profile "$dir/edited"
refused 1 'gc2000:5: a report of a gc2000, not of a gc3000' --model gc3000 --profile "$r"

# A chip of the same name and of another revision is told, and compared.
userspace/tests/host/lib/report.py replace "$r" "$dir/revision" 0x00005108 0x00005107
refused 0 'revision:6: another revision of a gc2000: word 1 of its identity is 0x00005107, here 0x00005108' --compare "$dir/revision"

# Those that the models are built with.
for file in userspace/model/chips/*.json; do
	[ ! -e "$file" ] || build/limn probe --compare "$file" >"$dir/text" 2>&1 || [ $? = 3 ] || wrong "$(cat "$dir/text")"
done
exit $status
