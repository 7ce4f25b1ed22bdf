#!/bin/bash
# SPDX-License-Identifier: MIT
# Each fault of the tables of scripts/mutants still applies; and an entry that does not says so.
set -u
scripts/mutants --check || exit 1
! [ -e igt-tests/mutants/museum ] || scripts/mutants --museum --check || exit 1
bad=0
refuse() { # WHAT, the entry on standard input
	local out
	cat >"$dir/limn"
	out=$(MUTANTS_TABLES=$dir scripts/mutants --check 2>&1) && { echo "accepted: $1"; bad=1; }
	grep -q "^mutants: $dir/limn:[0-9]*: .*$1" <<<"$out" || { echo "expected '$1', not:"; echo "$out"; bad=1; }
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
refuse "0 times, not once" <<-END
	[a]
	file: limn_bo.c
	- no such text
	+
	breaks: x
	run: limn_bo
END
refuse "has no 'nowhere'" <<-END
	[a]
	file: limn_bo.c
	in: nowhere
	- return
	+
	breaks: x
	run: limn_bo
END
refuse "no test limn_nothing" <<-END
	[a]
	file: limn_bo.c
	in: limn_bo_sync_all
	- if (for_cpu)
	+ if (!for_cpu)
	breaks: x
	run: limn_nothing
END
refuse "no field 'brakes'" <<-END
	[a]
	brakes: x
END
exit $bad
