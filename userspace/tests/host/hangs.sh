#!/bin/bash
# SPDX-License-Identifier: MIT
# Each cause for which the model hangs, or a Mali's unit gives up with an error, is one that a test provokes of which it
# compares limn decode's sentence: Vivante's viv_hang() and its two shorthands, by their texts; the GP's and PP's error
# interrupts, the ways in which VS and PLBU wait, and the faults of shaders of both. What is not tried is listed here.
set -u
tests="test_viv_hang test_vs test_plbu test_pp_list"
mkdir -p out/check
: >out/check/hangs.txt
for t in $tests; do
	make -s build/tests/model/$t || exit 1
	build/tests/model/$t >out/check/hangs-$t.txt 2>&1 || { tail -5 out/check/hangs-$t.txt; exit 1; }
	cat out/check/hangs-$t.txt >>out/check/hangs.txt
done
python3 - out/check/hangs.txt <<'END'
import pathlib, re, sys

UNTRIED = {
    # No hang of the hardware's: the model lacks something.
    "the model is out of memory",
    "FE 2.0 of a vector graphics core is not modelled",
    "runs past an instruction that nothing follows",  # a program of more instructions than the model keeps
    # In the model of the PP it is the MMU's page fault, which comes first; test_page_faults has that.
    "instruction fetch from unmapped memory",
}
# No failures of a job.
NO_ERROR = {"GP_IRQ_VS_END", "GP_IRQ_PLBU_END", "GP_IRQ_RESET_DONE", "GP_IRQ_BUS_STOPPED", "GP_IRQ_FORCE_HANG",
            "GP_IRQ_PERF_CNT_0_LIMIT", "PP_IRQ_END_OF_FRAME"}
# Places where VS or PLBU wait for what may never come, each with a test by name: semaphores of either side, a draw
# without indices behind the first semaphore command, the heap (twice), a hung unit, a program and a count that hang it.
WAITS = {"gp.c": 1, "plbu.c": 3, "plbu_prim.c": 2, "vs.c": 4}

def strings(path, pattern):
    return set(re.findall(pattern, pathlib.Path(path).read_text()))

# What a variable or %s in a call holds.
fault = r'fault(?:\.reason)? = (?:\(struct sim_fault\)\{[^}"]*)?"([^"\n]+)"'
held = {
    "why": strings("userspace/model/vivante/fe.c", r'snprintf\(why, sizeof\(why\), "([^"]+)"'),
    "st->fault.reason": strings("userspace/sim/vivante.c", fault) | strings("userspace/sim/vivante_sem.c", fault),
    "window of %ux%u pixels: %s": set(re.findall(r'"([^"\n]*)"', re.search(
        r"viv_rs_hangs\(.*?\n}", pathlib.Path("include/limn/vivante/cmdstream.h").read_text(), re.S)[0])) - {""},
    "at %08x: %s": set(),  # the shorthands themselves
    "%s (0x%x)": set(),
}

causes, unknown = set(), []
for path in pathlib.Path("userspace/model/vivante").glob("*.c"):
    for call, args in re.findall(r"\b((?:viv_|fe_)?hang)\(((?:[^;{]|\n)*?)\);", path.read_text()):
        texts = re.findall(r'"([^"]*)"', args)[call == "viv_hang" and re.match(r'[\w>-]+, "', args) is not None:]
        variable = args.split(",")[{"viv_hang": 3, "fe_hang": 1, "hang": 2}[call]].strip()
        what = texts[0] if texts else variable
        if what in held:
            causes |= held[what]
        elif texts:
            causes.add(what)
        else:
            unknown.append(f"{path}: {call}({args})")
assert len(causes) > 30, causes

utgard = {p.name: p.read_text() for p in pathlib.Path("userspace/model/utgard").glob("*.c")}
for text in utgard.values():
    causes |= set(re.findall(r"\b(?:gp_raise|pp_end_of_frame)\([^;]*?((?:GP|PP)_IRQ_\w+)\)", text)) - NO_ERROR
    causes |= set(re.findall(r'"([^"%]*[^"]*hardware hangs)"', text))
    causes |= set(re.findall(r'status == SIM_LIMIT \?\s*"([^"]+)"', text))
for path in "utgard_gp.c", "utgard_pp.c", "utgard_pp_decode.c":
    causes |= strings("userspace/sim/" + path, fault)
waits = {name: text.count("SLICE_WAIT;") for name, text in utgard.items() if "SLICE_WAIT;" in text}

told = [line for line in open(sys.argv[1]) if "hangs: " in line]
untried = set()
for cause in causes:
    pattern = re.compile("hangs: .*" + ".+".join(map(re.escape, re.split(r"%[0-9.]*[a-z]", cause))))
    if not any(pattern.search(line) for line in told):
        untried.add(cause)
for call in unknown:
    print("FAIL: nobody knows what may be said by", call)
for cause in sorted(untried - UNTRIED):
    print(f"FAIL: no test of limn decode for '{cause}'")
for cause in sorted(UNTRIED - untried):
    print(f"FAIL: '{cause}' is tried, or gone: it need not be listed")
if waits != WAITS:
    print(f"FAIL: places that wait: {waits}; tests are for {WAITS}")
print(len(causes), "causes")
sys.exit(bool(unknown) or untried != UNTRIED or waits != WAITS)
END
