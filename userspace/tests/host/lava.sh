#!/bin/bash
# SPDX-License-Identifier: MIT
# What a farm of boards runs: limn-igt's KTAP (in the testbed), what LAVA is told of it, and that the
# job and the test definition can be read and name files that exist.
set -u
dir=out/check/lava.d
rm -rf "$dir"
mkdir -p "$dir"
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

scripts/testbed --module-params sched_timeout_ms=500 -- sh igt-tests/limn-igt --tests build/igt-tests \
	--lists igt-tests/lists lima_get_param lima_gem_wait >"$dir/ktap" || fail "limn-igt: exit status $?"
cat "$dir/ktap"
head -n 2 "$dir/ktap" | tr '\n' ' ' | grep -q '^KTAP version 1 1\.\.2 $' || fail "no KTAP with two programs"
grep -q '^ok 1 lima_get_param$' "$dir/ktap" || fail "no result of lima_get_param"
subtests=$(($(build/igt-tests/lima_get_param --list-subtests | wc -l) + $(build/igt-tests/lima_gem_wait --list-subtests | wc -l)))
[ "$(grep -cE '^    (not )?ok ' "$dir/ktap")" = $((subtests + 2)) ] || fail "not one line for each of $subtests subtests and 2 logs"

# What mainline fails is excused, or not, and the exit status tells.
scripts/testbed --driver lima -- sh igt-tests/limn-igt --tests build/igt-tests --lists igt-tests/lists \
	lima_gem_create@va-not-zero >"$dir/known" || fail "a known failure counts"
grep -q 'va-not-zero # SKIP known: VA 0 is given out' "$dir/known" || fail "a known failure is not named"
scripts/testbed --driver lima -- sh igt-tests/limn-igt --tests build/igt-tests --lists igt-tests/lists \
	--driver limn lima_gem_create@va-not-zero >"$dir/unknown" && fail "a failure does not count"
grep -q '^not ok 1 lima_gem_create' "$dir/unknown" || fail "a failure is not ok"
sh igt-tests/limn-igt --no-such-option >/dev/null 2>&1
[ $? = 2 ] || fail "an unknown option is taken"

# LAVA: one result each, and a run that was cut short is noticed.
printf '#!/bin/sh\necho "$@"\n' >"$dir/lava-test-case"
chmod +x "$dir/lava-test-case"
lava() {
	PATH=$dir:$PATH scripts/lava/ktap-lava "$1"
}
[ "$(lava "$dir/ktap" | grep -c -- '--result pass$')" -ge $subtests ] || fail "LAVA hears less than there was"
lava "$dir/known" | grep -q '^lima_gem_create.va-not-zero --result skip$' || fail "LAVA hears of no skip"
lava "$dir/unknown" | grep -q '^lima_gem_create.va-not-zero --result fail$' || fail "LAVA hears of no failure"
sed '/^    ok 2 /,$d' "$dir/ktap" >"$dir/cut"
lava "$dir/cut" | grep -q '^lima_get_param.complete --result fail$' || fail "LAVA hears of no end before time"
python3 - <<'END' || fail "the YAML"
import yaml

job = yaml.safe_load(open("scripts/lava/job-orangepi-pc.yaml"))
assert [next(iter(a)) for a in job["actions"]] == ["deploy", "boot", "test"]
definition = yaml.safe_load(open("scripts/lava/" + job["actions"][2]["test"]["definitions"][0]["path"]))
assert definition["metadata"]["format"] == "Lava-Test Test Definition 1.0"
assert any("ktap-lava" in step for step in definition["run"]["steps"])
try:
    # Debian's lava-common: what a LAVA server says of a job that is submitted.
    from lava_common.schemas import validate
except ImportError:
    print("no lava_common: LAVA's schema is not tried")
else:
    validate(job, strict=True)
END
exit $failed
