#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 600
# limn bisect on jobs with one planted defect each (tool/defects.txt): it names the draw, the history of the
# pixel that it names shows the cause, and limn diff against what is right names a difference. The captures are
# made on limn.ko, one boot for each family. A flush that a stream leaves out is found as the copy that does not
# show what was drawn. And what is right is said to be.
# limn shrink: less than a quarter of what the file holds shows the same pixel. limn report: the pictures of its page.
set -u
make -s build/limn build/liblimn-capture.so || exit 1
dir=out/check/bisect.d
rm -rf $dir
failed=0
rows=0
fail() { echo "FAIL: $*"; failed=1; }

# Jobs and, for each, a line of $dir/FAMILY/rows: NUMBER|WHAT|DRAW|TEXT.
write_jobs() {	# FAMILY JOB
	local number=0 family what edit draw text n script
	mkdir -p "$dir/$1"
	cp "$2" "$dir/$1/good.limn"
	while IFS='|' read -r family what edit draw text; do
		case $1:$family in "$1:$1" | utgard:both | vivante:both | *-layers:layers) ;; *) continue ;; esac
		number=$((number + 1))
		# Several edits of a draw each: "N COMMAND; N COMMAND".
		script=
		while read -r n edit; do
			script+="/^# draw $n/,/^draw/ { $edit }"$'\n'
		done < <(sed 's/; \([0-9]\) /\n\1 /g' <<<"$edit")
		sed "$script" "$2" >"$dir/$1/$number.limn"
		cmp -s "$2" "$dir/$1/$number.limn" && fail "$1, $what: the edit changes nothing"
		echo "$number|$what|$draw|$text" >>"$dir/$1/rows"
	done < <(grep -v '^#' userspace/tests/tool/defects.txt)
}

capture() {	# FAMILY GPU
	# shellcheck disable=SC2016
	scripts/testbed --gpu "$2" -- bash -c 'for job in "$0"/*.limn; do
		build/limn capture -q -o "${job%.limn}" -- build/limn run -q --device /dev/dri/renderD128 "$job" || exit 1
	done' "$dir/$1" >"$dir/$1/log" 2>&1 || { cat "$dir/$1/log"; exit 1; }
	build/limn replay -q "$dir/$1/good" -o "$dir/$1/good.png" || fail "$1: replay of what is right"
	build/limn bisect "$dir/$1/good" --expect "$dir/$1/good.png" >"$dir/$1/out" && grep -q "is as expected" "$dir/$1/out" ||
		fail "$1: what is right: $(cat "$dir/$1/out")"
}

check() {	# FAMILY
	local number what draw text pixel
	while IFS='|' read -r number what draw text; do
		rows=$((rows + 1))
		[[ $1 = vivante* ]] && draw=$((draw + 2)) && text=${text/draw 2/draw 4}
		build/limn bisect "$dir/$1/$number" --expect "$dir/$1/good.png" >"$dir/out" 2>&1
		[ $? = 3 ] && grep -q "^draw $draw of submit" "$dir/out" || { fail "$1, $what: not draw $draw: $(cat "$dir/out")"; continue; }
		build/limn diff "$dir/$1/good" "$dir/$1/$number" >"$dir/diff"
		[ $? = 1 ] && grep -q " draws, [1-9][0-9]* differences" "$dir/diff" || fail "$1, $what: limn diff: $(cat "$dir/diff")"
		pixel=$(sed -n 's/^pixel \([0-9,]*\) is .*/\1/p' "$dir/out")
		build/limn pixel "$dir/$1/$number" "$pixel" >"$dir/pixel" || fail "$1, $what: limn pixel"
		[ "$text" = - ] || grep -qF -- "$text" "$dir/pixel" || fail "$1, $what: no '$text' in $(cat "$dir/pixel")"
	done <"$dir/$1/rows"
}

write_jobs utgard userspace/tests/jobs/frame.limn
write_jobs vivante userspace/tests/jobs/vivante/frame.limn
write_jobs utgard-layers userspace/tests/jobs/layers.limn
write_jobs vivante-layers userspace/tests/jobs/vivante/layers.limn
capture utgard mali-400-mp2
capture vivante gc2000
capture utgard-layers mali-450-mp4
capture vivante-layers gc3000
for family in utgard vivante utgard-layers vivante-layers; do
	check $family
done

# Sync: every flush of the colour cache is left out, as the strict model notices.
python3 userspace/tests/guest/lib/spoil-capture.py --no-flush $dir/vivante/good $dir/vivante/sync || fail "no flush to leave out"
build/limn bisect --strict $dir/vivante/sync --expect $dir/vivante/good.png >$dir/out 2>&1
{ [ $? = 3 ] && grep -q "(RS copies) does not copy what was drawn" $dir/out && grep -q "GL.FLUSH_CACHE COLOR did not flush it" $dir/out; } ||
	fail "vivante, sync: $(cat $dir/out)"
rows=$((rows + 1))
# Bytes of all chunks, decompressed (limn/capture.h).
content() {
	python3 -c 'import struct, sys
data, total = open(sys.argv[1], "rb").read(), 0
at = struct.unpack_from("<QHHI", data)[3]
while at < len(data):
	stored, size = struct.unpack_from("<II", data, at + 8)
	at, total = at + 20 + stored, total + size
print(total)' "$1"
}
# A smaller file that shows the same: the pixel is what it was, for the same reason, and no job fails for want of data.
for family in utgard vivante; do
	file=$dir/$family/$(grep -m1 "blend factor" $dir/$family/rows | cut -d'|' -f1)
	build/limn shrink "$file" 100,60 -o $dir/small >$dir/out || fail "shrink, $family: $(cat $dir/out)"
	[ $(($(content $dir/small) * 4)) -lt "$(content "$file")" ] || fail "shrink, $family: $(cat $dir/out)"
	build/limn replay -q $dir/small -o $dir/small.png >$dir/out || fail "shrink, $family: $(cat $dir/out)"
	for capture in "$file" $dir/small; do
		build/limn pixel "$capture" 100,60 | grep '^  colour' | tail -1
	done >$dir/colours
	[ "$(wc -l <$dir/colours)" = 2 ] && [ "$(sort -u $dir/colours | wc -l)" = 1 ] || fail "shrink, $family: $(cat $dir/colours)"
done

# A capture that is larger than the memory that there is: 3 GB of chunks of a newer version, and 2 GB.
python3 - $dir/utgard/good $dir/huge <<'END' || fail "no huge capture"
import struct, sys, zlib
good = open(sys.argv[1], "rb").read()
first = struct.unpack_from("<QHHI", good)[3]
size = 32 << 20
head = struct.pack("<HHIII", 1000, 0, 0, size, size)
head += struct.pack("<I", zlib.crc32(bytes(size), zlib.crc32(head)))
with open(sys.argv[2], "wb") as f:
    f.write(good[:first])
    for _ in range(96):
        f.write(head)
        f.seek(size, 1)
    f.write(good[first:])
END
(ulimit -v 2000000; timeout 100 build/limn replay $dir/huge) >$dir/huge.out 2>&1 && grep -q "as recorded\|[1-9] submits" $dir/huge.out ||
	fail "a capture larger than memory: $(cat $dir/huge.out)"
(ulimit -v 300000; build/limn show $dir/huge) 2>$dir/huge.out >/dev/null
[ $? = 1 ] && [ "$(wc -l <$dir/huge.out)" = 1 ] && grep -q "Cannot allocate memory" $dir/huge.out ||
	fail "no memory for the model: $(cat $dir/huge.out)"
rm $dir/huge

# A page of it: a picture before all draws and one after each, the last of which is that of limn replay; no network.
for family in utgard vivante; do
	build/limn report -q --strict $dir/$family/good -o $dir/$family.html || fail "report, $family"
	python3 - $dir/$family.html $dir <<'END' || fail "report, $family: the page"
import base64, re, sys
from html.parser import HTMLParser

class Balanced(HTMLParser):
    stack = []
    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "img", "br"):
            self.stack.append(tag)
    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, tag

text = open(sys.argv[1]).read()
Balanced().feed(text)
assert not Balanced.stack, Balanced.stack
assert "http" not in text and "<script" not in text
pictures = [base64.b64decode(p) for p in re.findall(r'src="data:image/png;base64,([^"]*)"', text)]
# Before the first draw; behind each, and what it costs; three maps of all.
assert len(pictures) == 1 + 2 * 4 + 3, len(pictures)
stages = [pictures[0]] + pictures[1:9:2]
assert len(set(stages)) == 5
for number in 3, 4:
    open(f"{sys.argv[2]}/stage{number}.png", "wb").write(stages[number])
# When its units worked: the vertices' before the pixels', each within the slices that there are.
slices = int(re.search(r"In (\d+) slices of its work", text).group(1))
spans = [(unit, int(a), int(b)) for unit, a, b in re.findall(r"<title>(\w+), slices (\d+) to (\d+)</title>", text)]
assert spans and all(a <= b <= slices for _, a, b in spans), spans
first = {}
for unit, a, _ in spans:
    first.setdefault(unit, a)
order = ["vs", "plbu", "pp0"] if "utgard" in sys.argv[1] else ["fe", "vs", "pa", "ra", "ps", "pe"]
assert [first[unit] for unit in order] == sorted(first[unit] for unit in order), first
assert text.count('href="#draw') == 8 and text.count('<h3 id="draw') == 4
# The floor reads its texture for each of its pixels, and nothing else does.
costs = [[int(n) for n in re.findall(r"</i>(\d+)<", row)] for row in re.findall(r'<tr><td><a href="#draw.*?</tr>', text, re.S)]
assert len(costs) == 4 and costs[0][3] == costs[0][0] > 10000, costs
assert all(c[3] == 0 and c[2] >= c[0] > 0 and c[4] > 0 for c in costs[1:]), costs
assert text.count("<rect ") >= 1 and "When jobs were submitted" in text
END
	build/limn bisect $dir/$family/good --expect $dir/stage4.png >$dir/out || fail "report, $family: the last picture: $(cat $dir/out)"
	build/limn bisect $dir/$family/good --expect $dir/stage3.png >$dir/out && fail "report, $family: the last picture but one is the last"
done
# What may take long tells on a terminal how far it is: of its own steps, or of the capture that it replays.
while IFS='|' read -r what command; do
	LIMN_PROGRESS_AFTER=0 script -qec "build/limn $command" /dev/null </dev/null >$dir/out
	grep -qE "[0-9]+ of [0-9]+ $what, [0-9]+ s to go" $dir/out || fail "no progress of limn $command"
done <<-END
	bytes of the capture|replay $dir/utgard/good
	bytes of the capture|show $dir/utgard/good
	bytes of the capture|pixel $dir/utgard/good 100,60
	bytes of the capture|diff $dir/utgard/good $dir/utgard/1
	replays|bisect $dir/utgard/1 --expect $dir/utgard/good.png
	steps|shrink $dir/utgard/good 100,60 -o $dir/small
	draws|report $dir/utgard/good -o $dir/utgard.html
END
# What is wrong with a capture, a picture or an option is one line, and the exit status is that of all commands.
mkdir -p $dir/folder
head -c 3000 $dir/utgard/good >$dir/cut
printf 'a\0b' >$dir/few
while IFS='|' read -r status command wanted; do
	# shellcheck disable=SC2086
	build/limn $command >$dir/out 2>$dir/err </dev/null
	is=$?
	{ [ $is = "$status" ] && [ "$(wc -l <$dir/err)" = 1 ] && grep -qF -- "$wanted" $dir/err; } ||
		fail "limn $command: exit status $is, not $status: $(cat $dir/err)"
done <<-END
	2|replay $dir/utgard/good --model mali-400-mp9|limn replay: --model mali-400-mp9: there is none; did you mean mali-400-mp1?
	2|pixel $dir/utgard/good 1,1 --model gc99|limn pixel: --model gc99: there is none
	2|replay $dir/utgard/good -o $dir/x.gif|limn replay: --out $dir/x.gif: a picture's name ends in .png or .ppm
	1|replay $dir/cut|limn replay: $dir/cut: what comes at byte
	1|show $dir/folder|limn show: $dir/folder: Is a directory
	1|bisect $dir/utgard/good --expect $dir/folder|limn bisect: $dir/folder: Is a directory
	1|bisect $dir/utgard/good --expect $dir/few|limn bisect: $dir/few: Not a PNG file
	1|bisect $dir/utgard/good --expect $dir/none|limn bisect: $dir/none: No such file or directory
	2|pixel $dir/utgard/good 9999,1|limn pixel: $dir/utgard/good: 9999,1 is outside of what is drawn
	1|shrink $dir/utgard/good 100,60 -o /dev/full|limn shrink: /dev/full: No space left on device
	1|report -q $dir/utgard/good -o /dev/full|limn report: /dev/full: No space left on device
	1|replay -q $dir/utgard/good -o /dev/full|limn replay: /dev/full: No space left on device
END
for command in "replay $dir/utgard/good" "show $dir/utgard/good" "diff $dir/utgard/good $dir/utgard/1" "pixel $dir/utgard/good 100,60" \
	"bisect $dir/utgard/good --expect $dir/utgard/good.png" "report $dir/utgard/good -o -" "shrink $dir/utgard/good 100,60 -o -"; do
	# shellcheck disable=SC2086
	build/limn $command >/dev/full 2>$dir/err && fail "limn $command >/dev/full succeeds"
	grep -q "^limn .*: standard output" $dir/err || fail "limn $command >/dev/full: $(cat $dir/err)"
done
[ $rows -ge 44 ] || fail "only $rows defects"
echo "$rows planted defects"
exit $failed
