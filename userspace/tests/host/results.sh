#!/bin/bash
# SPDX-License-Identifier: MIT
# What a farm reads: scripts/check, igt-run and limn-igt write the same KTAP and JUnit, and a page with the pictures
# that differ; what there is none of is one line, and an exit status that is not 0.
set -u
dir=out/check/results.d
rm -rf $dir
mkdir -p $dir
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# The same two programs by both; a failure is one in all forms.
scripts/igt-run --ktap $dir/run.ktap --junit $dir/run.xml lima_get_param lima_gem_wait >$dir/run.out || fail "igt-run"
scripts/testbed --module-params sched_timeout_ms=500 -- sh igt-tests/limn-igt --tests build/igt-tests --lists igt-tests/lists \
	--ktap $dir/igt.ktap --junit $dir/igt.xml --html $dir/igt.html lima_get_param lima_gem_wait >$dir/igt.out || fail "limn-igt"
cmp $dir/igt.ktap $dir/igt.out || fail "limn-igt prints other KTAP than it writes"
# But for the times, and the kernel's log, which is a boot's in the one and a program's in the other.
results() { grep -vE '# duration: |ok [0-9]+ kernel$|^    1\.\.' "$1" | sed -E 's/(ok) [0-9]+ /\1 /; s/ (# SKIP).*/ \1/' | sort; }
diff <(results $dir/run.ktap) <(results $dir/igt.ktap) || fail "igt-run's KTAP is not limn-igt's"
scripts/testbed --driver lima -- sh igt-tests/limn-igt --tests build/igt-tests --lists igt-tests/lists --driver limn \
	--junit $dir/bad.xml lima_gem_create@va >$dir/bad.out && fail "a failure does not count"

# Pictures that differ, as a test of scripts/check prints them.
build/limn run -q userspace/tool/examples/triangle.limn --model mali-400-mp1 -o $dir/a.png
build/limn run -q userspace/tool/examples/blended.limn --model mali-400-mp1 -o $dir/b.png
. userspace/tests/lib/same.sh
same $dir/a.png $dir/a.png || fail "a picture is not the same as itself"
same $dir/a.png $dir/b.png >$dir/differ && fail "two pictures are the same"
cat >$dir/two.ktap <<-END
	KTAP version 1
	1..1
	    KTAP version 1
	    # Subtest: unit
	    1..2
	    # duration: 0.250 s
	    # $(cat $dir/differ)
	    not ok 1 a<b
	    # duration: 1.000 s
	    ok 2 c # SKIP none
	not ok 1 unit
END
scripts/results.py $dir/two.ktap --ktap $dir/again.ktap --junit $dir/two.xml --html $dir/two.html
[ $? = 1 ] || fail "results.py: a failure does not count"
cmp $dir/two.ktap $dir/again.ktap || fail "KTAP that is read and written again"
awk '{ print $2; print $3 }' $dir/differ | xargs rm -f
scripts/check -j1 --ktap $dir/check.ktap --junit $dir/check.xml --html $dir/check.html test_half >/dev/null || fail "scripts/check"
python3 - $dir <<'END' || failed=1
import sys
import xml.etree.ElementTree as tree
from pathlib import Path
folder = Path(sys.argv[1])

def cases(name):
    return {(c.get("classname"), c.get("name")): (c, c.find("failure") is not None)
            for c in tree.parse(folder / name).iter("testcase")}

run, igt = cases("run.xml"), cases("igt.xml")
assert len(run) >= 8 and set(run) == {c for c in igt if c[1] != "kernel"}, set(run) ^ set(igt)
assert any(float(c.get("time")) > 0 for c, _ in run.values()), "no durations"
assert not any(bad for _, bad in run.values()) and any(bad for _, bad in cases("bad.xml").values())
two = cases("two.xml")
assert two[("unit", "a<b")][1] and two[("unit", "a<b")][0].get("time") == "0.250", two
assert two[("unit", "c")][0].find("skipped").get("message") == "none"
page = (folder / "two.html").read_text()
assert page.count("data:image/png;base64,") == 2 and "a&lt;b" in page, "the page has not both pictures"
assert len(cases("check.xml")) == 1
END

refused() { # PATTERN COMMAND...
	local pattern=$1
	shift
	"$@" >$dir/refused 2>&1
	[ $? != 0 ] && [ "$(wc -l <$dir/refused)" = 1 ] && grep -q -- "$pattern" $dir/refused ||
		{ fail "$*: one line with '$pattern' is expected:"; cat $dir/refused; }
}
refused "no GPU gc9000; did you mean" scripts/igt-run --gpu gc9000
refused "no list nonsense; there are" scripts/igt-run --list nonsense
refused "named like no_such_test" scripts/igt-run no_such_test
refused "--kernel: no 'odd'" scripts/igt-run --kernel odd
refused "no folder no-such" scripts/igt-run --tests no-such
refused "no test is named like no_such_test" scripts/check no_such_test
refused "no test is named like no_such_test" scripts/check test_half no_such_test
refused "no-such.ktap: No such file" scripts/results.py no-such.ktap
refused "no results of tests" scripts/results.py README.md
refused "its value is missing" sh igt-tests/limn-igt --list
refused "no option --odd" sh igt-tests/limn-igt --odd
exit $failed
