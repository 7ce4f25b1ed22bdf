#!/bin/bash
# SPDX-License-Identifier: MIT
# Reports in the folder that the models are built with (userspace/model/chips; here a folder of its own): a model does
# as its chip's report says, and nothing else changes. One that is cut ends the build; one that was changed, of another
# revision, of a chip without a model, or the second of its chip is told by file, line and cause, and nothing of it counts.
set -u
make -s build/limn || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
status=0
wrong() { echo "$*"; status=1; }
report=userspace/tests/host/lib/report.py chips=$dir/chips.d limn=$dir/limn
mkdir "$chips"

# All but the reports is built already.
cp -a build/obj build/include build/*.a "$dir" && rm -f "$dir/include/chips.inc" || exit 1
built() {
	rm -f "$dir/include/chips.inc"
	make -s O="$dir" CHIPS="$chips" "$limn" >"$dir/text" 2>&1
}

# answers LIMN GPU: probes and answers
answers() { "$1" probe --model "$2" 2>/dev/null | awk '{print $1, $2}'; }
for gpu in mali-400-mp2 gc2000 gc3000; do
	build/limn probe --model $gpu -o "$dir/$gpu" >/dev/null || exit 1
	answers build/limn $gpu >"$dir/$gpu.plain"
done

# changed GPU: what the built one answers otherwise
changed() { answers "$limn" "$1" | diff "$dir/$1.plain" - | sed -n 's/^> //p' | sort; }

# A board that answers otherwise wherever the model can; of one chip, then of another family's beside it.
for gpu in gc2000 mali-400-mp2; do
	$report plant "$dir/$gpu" "$chips/$gpu.json" "$dir/$gpu.wanted" 1
	[ "$(grep -c '' "$dir/$gpu.wanted")" -ge 4 ] || wrong "$gpu: nothing was planted"
	built || wrong "$gpu: does not build: $(cat "$dir/text")"
	diff <(changed $gpu) <(sort "$dir/$gpu.wanted") || wrong "$gpu does not follow the report it is built with"
	[ -z "$(changed gc3000)" ] || wrong "gc3000 follows a report of a $gpu"
done
diff <(changed gc2000) <(sort "$dir/gc2000.wanted") || wrong "gc2000 does not follow its report beside another"
rm "$chips/mali-400-mp2.json"

# refused FILE:LINE CAUSE: the model says so, and answers as without a report
refused() {
	built || wrong "$1: does not build: $(cat "$dir/text")"
	"$limn" run -q --model gc2000 userspace/tool/examples/vivante/triangle.limn -o "$dir/x.ppm" >"$dir/text" 2>&1
	grep -qF "profile: $chips/$1: $2: no model follows it" "$dir/text" || wrong "no '$1: $2' in: $(cat "$dir/text")"
	[ -z "$(changed gc2000)" ] || wrong "$1: followed in $(changed gc2000)"
	rm "$chips/${1%%:*}"
}
mv "$chips/gc2000.json" "$dir/planted"
sed 's/"kernel": "none"/"kernel": "6.12"/' "$dir/planted" >"$chips/edited.json"
refused "edited.json:$(grep -n '"sum"' "$dir/planted" | cut -d: -f1)" 'the sum is not that of what stands above: the report was changed'
# Cut in a row, behind a }: whole, as the build sees it.
lines=$(head -n 30 "$dir/planted" | grep -c '')
head -n 29 "$dir/planted" >"$chips/cut.json"
sed -n 30p "$dir/planted" | sed 's/}.*/}/' >>"$chips/cut.json"
refused "cut.json:$((lines + 1))" 'the report is cut off here'
$report replace "$dir/planted" "$chips/revision.json" 0x00005108 0x00005107
refused revision.json:6 'a report of another revision of the chip'
$report replace "$dir/planted" "$chips/chip.json" '"gpu": "gc2000"' '"gpu": "gc9999"'
refused chip.json:5 'a report of a chip that is not modelled'
# The first of two, by their names, is the chip's.
cp "$dir/gc2000" "$chips/a.json"
cp "$dir/planted" "$chips/b.json"
refused b.json:5 'a second report of the chip'
rm "$chips/a.json"

# ends CAUSE: the build ends with it, and leaves nothing
ends() {
	rm -f "$limn"
	built && wrong "it builds with $1"
	grep -qF "$1" "$dir/text" || wrong "no '$1' in: $(cat "$dir/text")"
	[ ! -e "$dir/include/chips.inc" ] && [ ! -e "$limn" ] || wrong "$1: something is built"
	rm -f "$chips"/*
}
head -c 900 "$dir/planted" >"$chips/cut.json"
ends "$chips/cut.json:$(head -c 900 "$dir/planted" | grep -c ''): the report is cut off"
printf '{\n\377\000\n}\n' >"$chips/binary.json"
ends "$chips/binary.json:2: not text"
exit $status
