#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 300
# limn run on Vivante jobs that fail: one message that says why and where, exit status 3, no picture; and
# the next good job is drawn. In-process, on mainline etnaviv.ko and on limn.ko. limn decode on what is no
# stream.
set -u
dir=out/check/run-errors-vivante
rm -rf "$dir"
mkdir -p "$dir"
failed=0

. userspace/tests/host/lib/fails.sh

examples=userspace/tool/examples/vivante
hang=userspace/tests/jobs/vivante/hang.limn

# What does not fit the GPU.
want=2 fails pipe-2d "the GPU has no 2D pipe" build/limn run $examples/fill.limn --model gc2000 -o "$dir/pipe-2d.png"
want=2 fails pipe-3d "the GPU has no 3D pipe" build/limn run $examples/triangle.limn --model gc320 -o "$dir/pipe-3d.png"
want=2 fails family "a job for Utgard" build/limn run userspace/tool/examples/triangle.limn --model gc2000 -o "$dir/family.png"
want=2 fails other "a job for Vivante" build/limn run $examples/triangle.limn --model mali-400-mp1 -o "$dir/other.png"
sed 's/supertiled/linear/' $examples/triangle.limn >"$dir/linear.limn"
want=3 fails linear "cannot draw into a linear target" build/limn run "$dir/linear.limn" --model gc2000 -o "$dir/linear.png"
sed 's/0 3$/9 3/' $examples/triangle.limn >"$dir/far.limn"
fails far "far.limn:[0-9]*:1: vertex 11 is drawn" build/limn run "$dir/far.limn" --model gc2000 -o "$dir/far.png"

# What hangs the GPU.
want=3 fails hang "the 3D job failed" build/limn run $hang --model gc2000 -o "$dir/hang.png"

# The same on the drivers, which recover: the job behind it is drawn.
build/limn run $examples/triangle.limn --model gc2000 -o "$dir/good.png" || failed=1
for driver in etnaviv limn; do
	scripts/testbed --gpu gc2000 --driver $driver -- sh -c "
		build/limn run $hang -o $dir/$driver.png 2>$dir/$driver.line
		echo \$? >$dir/$driver.status
		build/limn run $examples/triangle.limn -o $dir/$driver-next.png" >"$dir/$driver.log" 2>&1
	if [ "$(cat "$dir/$driver.status")" != 3 ] || ! grep -q "^$hang:$(grep -n '^draw' $hang | cut -d: -f1):1: the 3D job failed: " "$dir/$driver.line" ||
	   ! grep -q "that is the only draw" "$dir/$driver.line" ||
	   [ -e "$dir/$driver.png" ] || ! cmp "$dir/good.png" "$dir/$driver-next.png"; then
		echo "FAILED: a hang on $driver.ko"
		cat "$dir/$driver.line" "$dir/$driver.log"
		failed=1
	fi
done

# limn decode: text that is no words, files that are cut, words that are no stream.
printf '08010e03 00000003\n0801zzzz\n' >"$dir/text.hex"
fails decode-text "text.hex:2:1: not a word" build/limn decode -i vivante-fe --hex "$dir/text.hex"
printf 'abc' >"$dir/cut.bin"
fails decode-cut "3 bytes are not whole words" build/limn decode -i vivante-fe "$dir/cut.bin"
: >"$dir/empty.bin"
fails decode-empty "empty" build/limn decode -i vivante-fe "$dir/empty.bin"
# A WAIT and a LINK to it that fetches the WAIT alone; one that fetches both.
printf '380000c8 00000000\n40000001 00001000\n' >"$dir/short.hex"
build/limn decode -i vivante-fe --check --hex --at 0x1000 "$dir/short.hex" | grep -q 'none of them leads on' ||
	{ echo "FAILED: a LINK that fetches too little"; failed=1; }
sed 's/40000001/40000002/' "$dir/short.hex" >"$dir/loop.hex"
build/limn decode -i vivante-fe --hex --at 0x1000 "$dir/loop.hex" >/dev/null || { echo "FAILED: decode of an idle loop"; failed=1; }
fails decode-missing "No such file" build/limn decode -i vivante-fe "$dir/missing.bin"
build/limn decode -i vivante-fe --user $examples/triangle.limn >"$dir/noise.out" 2>&1 && {
	echo "FAILED: a text file passed as a stream"
	failed=1
}
python3 -c "import random, sys; random.seed(1); sys.stdout.buffer.write(random.randbytes(4096))" >"$dir/random.bin"
timeout 10 build/limn decode -i vivante-fe --json "$dir/random.bin" >"$dir/random.json"
python3 -c "import json, sys; json.load(open(sys.argv[1]))" "$dir/random.json" || {
	echo "FAILED: --json of random words ($dir/random.bin)"
	failed=1
}
exit $failed
