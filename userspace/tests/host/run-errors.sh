#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 300
# limn run on jobs that fail: one message that says why, an exit status that says what kind (1: the input,
# 2: the command line, 3: the job, 4: the device), no picture; and the next good job is drawn. In-process and on limn.ko. (Mainline lima.ko signals success after a
# fault, so a client cannot know.)
set -u
dir=out/check/run-errors
rm -rf "$dir"
mkdir -p "$dir"
failed=0

. userspace/tests/host/lib/fails.sh

jobs=userspace/tests/jobs
model="--model mali-400-mp2 --strict"
good=userspace/tool/examples/triangle.limn

# What is wrong before a GPU is touched.
echo "target 8 8 nonsense" >"$dir/bad.limn"
fails syntax "$dir/bad.limn:1:12: 'nonsense' is none of rgba8888" build/limn run "$dir/bad.limn" $model -o "$dir/syntax.png"
fails missing "no-such.limn: No such file" build/limn run no-such.limn $model -o "$dir/missing.png"
head -c 3000 /dev/urandom >"$dir/noise.limn"
fails noise "noise.limn:[0-9]*:[0-9]*: a zero byte" build/limn run "$dir/noise.limn" $model -o "$dir/noise.png"
want=2 fails gpu "model 'mali-9000': there is none" build/limn run $good --model mali-9000 -o "$dir/gpu.png"
want=4 fails node "/dev/null: not a DRM device" build/limn run $good --device /dev/null -o "$dir/node.png"
want=4 fails foreign "renderD129: its driver, vgem, has not the" scripts/testbed --driver limn -- sh -c \
	"modprobe vgem && build/limn run $good --device /dev/dri/renderD129 -o $dir/foreign.png"
want=4 fails no-node "/dev/dri/no-such" build/limn run $good --device /dev/dri/no-such -o "$dir/no-node.png"
fails folder "no-such-folder" build/limn run $good $model -o no-such-folder/a.png

# A device, a pipe, a link: written to, never replaced. Files as they were when the disk is full.
ln -s /dev/full "$dir/full"
fails full "/full: No space left on device" build/limn run $good $model -o "$dir/full"
[ -h "$dir/full" ] || { echo "FAILED: -o replaced a link to a device"; failed=1; }
build/limn run $good $model -o "$dir/good.png" || failed=1
mkfifo "$dir/pipe"
cat "$dir/pipe" >"$dir/piped.png" &
build/limn run $good $model -o "$dir/pipe" || failed=1
wait $!
[ -p "$dir/pipe" ] && cmp "$dir/good.png" "$dir/piped.png" || { echo "FAILED: -o to a pipe"; failed=1; }
echo old >"$dir/target"
ln -s target "$dir/link.png"
build/limn run $good $model -o "$dir/link.png" || failed=1
[ -h "$dir/link.png" ] && cmp "$dir/good.png" "$dir/target" || { echo "FAILED: -o replaced a link"; failed=1; }
fails asm-full "/full: No space left on device" build/limn asm -o "$dir/full" userspace/tests/isa/triangle.gp
echo old >"$dir/words"
(ulimit -f 0; trap '' XFSZ; ! build/limn asm -o "$dir/words" userspace/tests/isa/triangle.gp) 2>/dev/null || failed=1
[ "$(cat "$dir/words")" = old ] && [ ! -e "$dir/words.part" ] || { echo "FAILED: asm left half a file"; failed=1; }
if build/limn run $good $model --json >/dev/full 2>/dev/null; then
	echo "FAILED: nowhere to print, and status 0"
	failed=1
fi

for n in 0 -1 4294967297 9x ""; do
	build/limn run $good $model --frames "$n" >/dev/null 2>&1
	[ $? = 2 ] || { echo "FAILED: --frames '$n' was taken"; failed=1; }
done

# What a picture's name says, and what an option is that there is none of.
want=2 fails ending "picture.gif: a picture's name ends in .png or .ppm" build/limn run $good $model -o "$dir/picture.gif"
want=2 fails option "no option --modle; did you mean --model?" build/limn run $good --modle mali-400-mp2
want=2 fails value "--frames N: its value is missing" build/limn run $good --frames
want=2 fails near "model 'mali-400-mp5': there is none; did you mean" build/limn run $good --model mali-400-mp5
want=2 fails command "no command 'rnu'; did you mean run?" build/limn rnu $good
build/limn run $good $model -o "$dir/picture.ppm" && build/limn run $good $model -o - >"$dir/dash.png" &&
	cmp "$dir/dash.png" "$dir/good.png" && build/limn run - $model -o "$dir/stdin.png" <$good && cmp "$dir/stdin.png" "$dir/good.png" &&
	[ "$(head -c 15 "$dir/picture.ppm" | tr '\n' ' ')" = "P6 256 256 255 " ] || { echo "FAILED: -o .ppm, -o -, run -"; failed=1; }
# A picture for each frame, of a job that looks at the number of the frame.
printf 'vivante 2d\ntarget 4 4\nlet on = 1\nclear color frame/2 on 0 1\n' >"$dir/moving.limn"
build/limn run "$dir/moving.limn" --model gc320 --frames 3 -D on=0 -o "$dir/f%02d.ppm" || failed=1
for n in 0 1 2; do
	[ "$(tail -c 3 "$dir/f0$n.ppm" | od -An -tu1 | tr -s ' ')" = " $((n * 255 / 2 + n % 2)) 0 0" ] ||
		{ echo "FAILED: frame $n: $(tail -c 3 "$dir/f0$n.ppm" | od -An -tu1)"; failed=1; }
done
# Or one picture that moves: chunks with right sums, and in each frame what it must be.
build/limn run "$dir/moving.limn" --model gc320 --frames 3 -D on=0 -o "$dir/moving.png" | grep -q '4x4, 3 frames' || failed=1
python3 - "$dir/moving.png" <<'END' || { echo "FAILED: the animated PNG"; failed=1; }
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
at, types, frames = 8, [], []
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body), kind
    types.append(kind)
    if kind == b"fcTL":
        frames.append(b"")
    frames[-1:] = [frames[-1] + {b"IDAT": body, b"fdAT": body[4:]}.get(kind, b"")] if frames else []
    at += 12 + size
assert types[:2] == [b"IHDR", b"sRGB"] and types[-1] == b"IEND" and types.count(b"fcTL") == 3, types
for n, frame in enumerate(frames):
    red = zlib.decompress(frame)[1]
    assert abs(red - n * 127.5) <= 1, (n, red)
END
# Tables of numbers in files: blanks, commas, ends of lines.
printf '0,0,\n1 0\n0;1\n' >"$dir/table.csv"
printf 'target 8 8\nattribute 0 float2 "table.csv"\nlet x = (\n' >"$dir/table.limn"
fails table "table.limn:3:10: a number is expected" build/limn run "$dir/table.limn" $model
printf '0 0 1 x\n' >"$dir/table.csv"
sed -i '/^let/d' "$dir/table.limn"
fails table-word "table.csv:1:7: " build/limn run "$dir/table.limn" $model
# JSON of any name.
cp $good "$dir/a\"b\\c.limn"
build/limn run "$dir/a\"b\\c.limn" $model --json | python3 -c 'import json, sys; json.load(sys.stdin)' ||
	{ echo "FAILED: --json with a name of all sorts"; failed=1; }

# What fails on the GPU.
want=3 fails endless "the PP job failed" build/limn run $jobs/endless.limn $model -o "$dir/endless.png"
want=3 fails heap "tile heap" build/limn run $jobs/heap-full.limn $model -o "$dir/heap.png"
# It and what the model says name the line of the job: of a shader, of an instruction of it, of a draw.
names() { # JOB LINE PATTERN MODEL
	build/limn run "$1" --model "$4" --strict >"$dir/names.out" 2>&1
	grep -q "^$1:$2:[0-9]*: " "$dir/names.out" && grep -q -- "$3" "$dir/names.out" ||
		{ echo "FAILED: $1 on $4 does not name line $2 and '$3':"; cat "$dir/names.out"; failed=1; }
}
line() { grep -n -m1 -- "$1" "$2" | cut -d: -f1; }
names $jobs/endless.limn $(($(line '^fragment-shader' $jobs/endless.limn) + 1)) "that is the fragment shader of draw 1" mali-400-mp2
names $jobs/vivante/hang.limn "$(line '^draw' $jobs/vivante/hang.limn)" "the front end has got to draw 1" gc2000
{ cat $good; echo; sed -n '/^fragment-shader/,$p' $jobs/endless.limn; } >"$dir/second.limn"
names "$dir/second.limn" $(($(grep -n '^fragment-shader' "$dir/second.limn" | tail -1 | cut -d: -f1) + 1)) "shader of draw 2" mali-400-mp1

# What the checker finds is said with its line; the job runs all the same.
sed 's|mov.a0 ^_/v1.x a1.x|complex1.m01 ^c/v1.x a1.x a1.x a1.x a1.x|; /mov.m[01] ^_\/v1/d; s/float4$/float2/' $good >"$dir/early.limn"
build/limn run "$dir/early.limn" $model -o "$dir/early.png" 2>"$dir/early.err" &&
	grep -q "^$dir/early.limn:[0-9]*:2: warning: stores the result of complex1 at once; .* \[complex1-latency\]$" "$dir/early.err" ||
	{ echo "FAILED: the checker's finding is not there:"; cat "$dir/early.err"; failed=1; }
fails werror "early.limn:[0-9]*:2: stores the result" build/limn run "$dir/early.limn" $model --werror

# The same on the driver, and the next job after each.
for name in endless heap-full; do
	scripts/testbed --driver limn -- sh -c "
		build/limn run $jobs/$name.limn --device /dev/dri/renderD128 -o $dir/ko-$name.png
		echo status \$?
		cat /sys/class/devcoredump/devcd*/data >$dir/ko-$name.dump 2>/dev/null
		build/limn run $good --device /dev/dri/renderD128 -o $dir/ko-after-$name.png" >"$dir/ko-$name.log" 2>&1
	grep -q '^status 3$' "$dir/ko-$name.log" || { echo "FAILED: $name on limn.ko:"; cat "$dir/ko-$name.log"; failed=1; }
	# The dump of what hangs names the draw's line, by the labels of the BOs.
	[ $name = heap-full ] || build/limn decode "$dir/ko-$name.dump" | grep -q "$name.limn:$(line '^draw' $jobs/$name.limn) attribute" ||
		{ echo "FAILED: the dump of $name has no line of the job"; failed=1; }
	[ ! -e "$dir/ko-$name.png" ] || { echo "FAILED: $name on limn.ko left a picture"; failed=1; }
	build/limn run $good $model -o "$dir/good.png" && cmp "$dir/good.png" "$dir/ko-after-$name.png" || failed=1
done
grep -q 'PP job failed: it did not end in time' "$dir/ko-endless.log" || { cat "$dir/ko-endless.log"; failed=1; }
grep -q 'GP job failed: the tile heap is full' "$dir/ko-heap-full.log" || { cat "$dir/ko-heap-full.log"; failed=1; }
exit $failed
