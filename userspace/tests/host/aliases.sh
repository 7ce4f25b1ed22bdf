#!/bin/bash
# SPDX-License-Identifier: MIT
# modprobe finds limn for every compatible string of both device tree bindings, and for every
# device that lima and etnaviv of the same kernel claim.
set -eu
kernel=$(scripts/kernel/build --dir plain)
modinfo=$(command -v modinfo || echo /sbin/modinfo)
$modinfo -F alias build/modules-plain/limn.ko >out/check/aliases
python3 - "$kernel/src/Documentation/devicetree/bindings/gpu" out/check/aliases <<'END'
import fnmatch, itertools, sys
import yaml

folder, aliases = sys.argv[1:]
aliases = open(aliases).read().split()


def words(item):
    """The strings that stand at one place of a compatible property."""
    return [item["const"]] if "const" in item else item["enum"]


def compatibles(schema):
    for row in schema.get("oneOf", [schema]):
        yield from itertools.product(*map(words, row.get("items", [row])))


count = 0
for binding in ("arm,mali-utgard.yaml", "vivante,gc.yaml"):
    with open(f"{folder}/{binding}") as file:
        schema = yaml.safe_load(file)["properties"]["compatible"]
    for row in compatibles(schema):
        # As of_device_modalias() makes it.
        modalias = "of:NgpuT(null)" + "".join("C" + word for word in row)
        count += 1
        if not any(fnmatch.fnmatchcase(modalias, a) for a in aliases):
            sys.exit(f"FAIL: no alias for {modalias}")
print(count, "compatible properties")
assert count > 20
END
for driver in lima etnaviv; do
	for alias in $($modinfo -F alias "$kernel"/root/lib/modules/*/kernel/drivers/gpu/drm/"$driver/$driver".ko | grep '^of:'); do
		grep -qxF -- "$alias" out/check/aliases || { echo "FAIL: $driver has $alias, limn has not"; exit 1; }
	done
done
