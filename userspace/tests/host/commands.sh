#!/bin/bash
# SPDX-License-Identifier: MIT
# The commands of the documentation. Those behind a $ are run, in their order, and print what the page says; so are those of
# scripts/testbed and of the README's first screen. Every other command line of limn in a block of any page has a command
# and options that there are, and every script that a page names is there. The README lists the GPUs that limn has.
set -u
top=$PWD
dir=out/check/commands.d
rm -rf $dir
mkdir -p $dir
failed=0
python3 - "$top" $dir <<'END' || failed=1
import re, subprocess, sys
from pathlib import Path
top, folder = Path(sys.argv[1]), Path(sys.argv[2])
limn = top / "build/limn"
bad = ran = looked = 0

def fail(*what):
    global bad
    print("FAILED:", *what)
    bad = 1

# The folder has what a source tree has.
for name in ("build", "scripts", "userspace", "igt-tests"):
    (Path(folder) / name).symlink_to(top / name)
(Path(folder) / "out").mkdir()
pages = sorted((top / "Documentation").rglob("*.rst")) + [top / "README.md"]
models = subprocess.run([limn, "info", "--models"], capture_output=True, text=True).stdout.split()
first_screen = "cp userspace/|build/limn run my"

def run(page, command, status, wanted):
    """A command, its exit status, and lines of what it prints."""
    global ran
    ran += 1
    out = subprocess.run(["bash", "-c", f'limn() {{ "{limn}" "$@"; }}\n' + command.replace("/usr/share/limn/", f"{top}/userspace/tool/")],
                         cwd=folder, capture_output=True, text=True)
    lost = [line for line in wanted if line not in out.stdout + out.stderr]
    if out.returncode != status or lost:
        fail(f"{page.name}: {command}: exit status {out.returncode}; not there: {lost}\n{out.stdout}{out.stderr}")

for page in pages:
    lines = page.read_text().splitlines() + [""]
    for n, line in enumerate(lines):
        # A file that the page shows.
        if match := re.search(r"``([\w.-]+)`` is::$", line):
            end = next(k for k in range(n + 2, len(lines)) if lines[k] and not lines[k][0].isspace())
            (Path(folder) / match[1]).write_text("".join(text[1:] + "\n" for text in lines[n + 2:end]))
        match = re.match(rf"\s*(?:\$ |(?=scripts/testbed -|{first_screen}))(.*?)(?:\s+#( exit status (\d))?.*)?$", line)
        if not match or "gc860" in line or re.search(r" [A-Z]{3,}", match[1]) or match[1].endswith(":"):
            continue
        wanted = []
        while re.match(r"\s+[^\s$]", lines[n + 1 + len(wanted)]) and "scripts/" not in lines[n + 1 + len(wanted)]:
            wanted.append(lines[n + 1 + len(wanted)].strip())
        run(page, match[1], int(match[3] or 0), wanted if line.lstrip().startswith("$") else [])
if ran < 30:
    fail("only", ran, "commands were run")

usage = subprocess.run([limn, "--help"], capture_output=True, text=True).stdout
commands = re.findall(r"^  (\w+) ", usage, re.M)
options = {c: set(re.findall(r"(?<![\w-])(--?[a-zA-Z][\w-]*)", subprocess.run([limn, c, "--help"], capture_output=True, text=True).stdout))
           for c in commands}
for page in pages:
    for line in page.read_text().splitlines():
        match = re.match(r"(?:    |\t| {4,}|)(?:\$ )?(?:\S*scripts/testbed .*? -- )?(?:build/)?limn ([a-z]+)((?: .*)?)$", line)
        if match and (line.startswith((" ", "\t")) or page.suffix == ".md"):
            looked += 1
            command, rest = match.groups()
            rest = re.split(r"\s{3,}|\s#|\|| -- ", rest + " ")[0]
            if command not in commands:
                fail(f"{page.relative_to(top)}: there is no limn {command}: {line.strip()}")
                continue
            for option in re.findall(r"(?<=\s)(--?[a-zA-Z][\w-]*)", rest.replace("[", " ").replace("]", " ")):
                if option not in options[command] and option[:2] not in options[command]:
                    fail(f"{page.relative_to(top)}: limn {command} has no {option}: {line.strip()}")
        for script in re.findall(r"(?<![\w/.-])scripts/[a-z][\w/.-]*[\w]", line):
            if not (top / script).exists():
                fail(f"{page.relative_to(top)}: there is no {script}")
print(ran, "commands were run,", looked, "looked at")

readme = (top / "README.md").read_text()
for model in models:
    if f"`{model}`" not in readme:
        fail(f"README.md does not list {model}")
sys.exit(bad)
END

# Every script has --help: what it is, how it is called, an example; and names an option that it has not, in one line.
for script in $(git ls-files -s scripts | awk '$1 == 100755 { sub("scripts/", "", $4); print $4 }'); do
	timeout 60 scripts/$script --no-such </dev/null >$dir/help 2>&1
	[ $? = 2 ] && grep -q -e --no-such $dir/help && [ "$(wc -l <$dir/help)" = 1 ] || { echo "FAILED: scripts/$script --no-such"; cat $dir/help; failed=1; }
	timeout 60 scripts/$script --help </dev/null >$dir/help 2>$dir/help.err || { echo "FAILED: scripts/$script --help"; cat $dir/help.err; failed=1; }
	grep -q "scripts/$script\|usage:\|$script " $dir/help && grep -qi 'example: ' $dir/help && [ ! -s $dir/help.err ] ||
		{ echo "FAILED: scripts/$script --help has no usage or no example:"; cat $dir/help $dir/help.err; failed=1; }
done

# A name or a number that there is not: one line with what was perhaps meant, exit status 2, and nothing begins.
while IFS='|' read -r command wanted; do
	# shellcheck disable=SC2086
	timeout 30 $command </dev/null >$dir/said 2>&1
	status=$?
	[ $status = 2 ] && [ "$(wc -l <$dir/said)" = 1 ] && grep -qF -- "$wanted" $dir/said ||
		{ echo "FAILED: $command: exit status $status, not 2 and one line with '$wanted':"; head -5 $dir/said; failed=1; }
done <<'END'
scripts/testbed --gpu gc300 -- true|no GPU 'gc300'; did you mean gc3000? there are: mali-400-mp1
scripts/testbed --gpu|testbed: --gpu: its value is missing
scripts/testbed --kernel|testbed: --kernel: its value is missing
scripts/testbed --gpu gc600+gc88 -- true|no GPU 'gc88'; did you mean gc880?
scripts/testbed --kernel debgu -- true|did you mean debug?
scripts/testbed --driver etnaviiv -- true|did you mean etnaviv?
scripts/testbed --model-fault stuk-reset:gp -- true|no defect of mali-400-mp2 'stuk-reset:gp'; did you mean stuck-reset:gp?
scripts/testbed --gpu gc3000 --model-fault lost-wake:gp -- true|no defect of gc3000 'lost-wake:gp'; there are: stuck-reset:gc3000
scripts/testbed --gpu none --model-fault no-reset-line -- true|there is no GPU that could have one
scripts/board --board sabrelit -- true|did you mean sabrelite?
scripts/board --kernl x -- true|no option --kernl
scripts/board --driver etna -- true|did you mean etnaviv?
scripts/board --timeout x -- true|--timeout x: a whole number of 1 or more is expected
scripts/board --add no-such-file -- true|--add no-such-file: no such file
scripts/board --model-fault no-reset-lin -- true|did you mean no-reset-line?
scripts/board|no command
scripts/check host/bad-inptu|did you mean host/bad-input?
scripts/check -j 0|-j 0: a number of 1 or more is expected
scripts/check -j x|-j x: a whole number is expected
scripts/check --ktpa x|no option --ktpa; did you mean --ktap?
scripts/igt-run --gpu gc200|no GPU gc200; did you mean gc2000?
scripts/igt-run --list al|no list al; did you mean all?
scripts/igt-run --driver limm|--driver: no 'limm'; did you mean limn?
scripts/igt-run lima_gem_submitt|did you mean lima_gem_submit?
scripts/fuzz-driver --gpu gc300|no GPU gc300; did you mean gc3000?
scripts/fuzz-driver --seconds -5|--seconds -5: a number of 1 or more is expected
scripts/mutants no-such-fault|igt-tests/mutants/limn has no no-such-fault
scripts/bench --gpu gc200|did you mean gc2000?
scripts/bench-frames --gpu gc200|did you mean gc2000?
scripts/bench-frames --frames 0|--frames and --rounds are at least 1
scripts/bench-frames --threads 0|--threads is from 1 to
scripts/bench-arm utgrad|no family utgrad; did you mean utgard?
scripts/coverage --gpu gc200|did you mean gc2000?
scripts/soak gc200|did you mean gc2000?
scripts/soak --seconds|--seconds: its value is missing
scripts/soak --hangs x|--hangs x: a whole number of 1 or more is expected
scripts/soak --kernel debgu|did you mean debug?
scripts/check-igt mali-400-mp5|no GPU 'mali-400-mp5'; did you mean mali-400-mp
scripts/check-arm orangepi-pc/trinagle|did you mean orangepi-pc/triangle?
scripts/client-check no-such|no option no-such
scripts/mesa-check --gpu gc200|did you mean gc2000?
scripts/build-matrix bokworm|no row has 'bokworm'; there are: bookworm armhf,
scripts/debian/package amrhf|no architecture 'amrhf'; did you mean armhf?
scripts/debian/check amrhf|no architecture 'amrhf'; did you mean armhf?
scripts/debian/apt amrhf versions x|no architecture 'amrhf'; did you mean armhf?
scripts/debian/apt armhf version x|no verb 'version'; did you mean versions?
scripts/kernel/build|no kernel flavour ''; there are: plain debug smp
scripts/kernel/build debgu|did you mean debug?
scripts/kernel/module debgu|did you mean debug?
scripts/kernel/source debgu|did you mean debug?
scripts/arm/build amrhf|did you mean armhf?
scripts/arm/kernel --path amrhf|did you mean armhf?
scripts/arm/sysroot amrhf|did you mean armhf?
scripts/lava/ktap-lava no-such|no-such: no file that can be read
igt-tests/limn-igt --lists igt-tests/lists --list al|no list al; there are: all fast
igt-tests/limn-igt --driver lmin|no driver lmin; there are: limn
END
exit $failed
