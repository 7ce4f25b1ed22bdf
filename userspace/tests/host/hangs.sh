#!/bin/bash
# SPDX-License-Identifier: MIT
# Each cause for which the Vivante model hangs (viv_hang() and its two shorthands, by their texts) is one that
# test_viv_hang provokes, and of which it compares the sentence of limn decode. What is not, is listed here. Not seen are
# texts that a variable holds: those of viv_rs_hangs(), of a command that a chip does not have, of a shader's fault.
set -u
make -s build/tests/model/test_viv_hang || exit 1
mkdir -p out/check
build/tests/model/test_viv_hang >out/check/hangs.txt 2>&1 || { tail -5 out/check/hangs.txt; exit 1; }
python3 - out/check/hangs.txt <<'END'
import pathlib, re, sys

UNTRIED = {
    "the model is out of memory",  # no hang of the hardware's
    # A stream cannot bring these about: the driver's registers do.
    "started while DEBUG_PIXEL_PIPE is not 0",
    "started while ISOLATE_GPU keeps the core from the bus",
    "FE 2.0 of a vector graphics core is not modelled",
}

told = [line for line in open(sys.argv[1]) if "hangs: " in line]
call = re.compile(r'\bviv_hang\([^";]*"\w+",[^";]*"([^"]+)"|\b(?:fe_)?hang\([^";]*"([^"]+)"')
causes = set()
for path in pathlib.Path("userspace/model/vivante").glob("*.c"):
    causes |= {viv or own for viv, own in call.findall(path.read_text())}
causes -= {"at %08x: %s", "%s (0x%x)", "window of %ux%u pixels: %s"}  # of the shorthands; viv_rs_hangs() has the texts
assert len(causes) > 20, causes
untried = set()
for cause in causes:
    pattern = re.compile("hangs: .*" + ".+".join(map(re.escape, re.split(r"%[0-9.]*[a-z]", cause))))
    if not any(pattern.search(line) for line in told):
        untried.add(cause)
for cause in sorted(untried - UNTRIED):
    print(f"FAIL: no test of limn decode for '{cause}'")
for cause in sorted(UNTRIED - untried):
    print(f"FAIL: '{cause}' is tried, or gone: it need not be listed")
print(len(causes), "causes")
sys.exit(untried != UNTRIED)
END
