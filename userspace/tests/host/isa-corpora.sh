#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# What Mesa's compilers emit for the scenes and for userspace/tests/mesa/glsl, Mesa's own tests of
# instruction sets and the shaders in captures of real hardware, through limn's disassemblers,
# assemblers and checkers (userspace/tests/isa/corpora.py). Nothing of it is kept in the tree.
set -u
dir=out/check/isa-corpora.d
rm -rf $dir
mkdir -p $dir

mesa=$(scripts/mesa-build) || exit $?
flock scripts/mesa.mk make -s build/limn build/liblimn.so build/mesa-client build/mesa-one-core.so build/panfrost-compile MESA="$mesa" || exit 1
inputs=()

# A noop shim is a driver that draws nothing: Mesa compiles what it would compile for the chip. Some
# scenes ask for what the chip does not have and give up; that is no matter here.
shim() {	# NAME SHIM ENVIRONMENT...
	local name=$1 lib=$2 preload=$mesa/lib/lib$2_noop_drm_shim.so
	shift 2
	[ $lib != etnaviv ] || preload=$PWD/build/mesa-one-core.so:$preload
	env LD_LIBRARY_PATH="$mesa/lib" LD_PRELOAD="$preload" MESA_SHADER_CACHE_DISABLE=true \
		MESA_LOADER_DRIVER_OVERRIDE=$lib "$@" build/mesa-client --timeout 60 $dir/pictures \
		>$dir/"$name".txt 2>$dir/"$name".err
	[ -s $dir/"$name".txt ] || { echo "FAIL: nothing printed for $name; see $dir/$name.err"; exit 1; }
}

shim lima lima LIMA_DEBUG=gp,pp
inputs+=(utgard-gp:$dir/lima.txt utgard-pp:$dir/lima.txt)
for gpu in GC2000 GC3000 GC7000L; do
	shim $gpu etnaviv ETNA_SHIM_GPU=$gpu ETNA_MESA_DEBUG=dump_shaders
	inputs+=(vivante:$dir/$gpu.txt)
done
inputs+=(vivante-test:"$mesa"/src/src/etnaviv/isa/tests/disasm.cpp)

# Midgard T600, T720, T860: oldest, with shared registers, newest. Bifrost G71 and G52.
for gpu in 0x600 0x720 0x860 0x6000 0x7212; do
	[ $((gpu)) -lt 4096 ] && kind=midgard || kind=bifrost
	for program in userspace/tests/mesa/glsl/*.frag userspace/tests/mesa/glsl/*.comp; do
		name=$(basename "${program%.*}")
		build/panfrost-compile $gpu "${name#*.}" "${program%.*}".* >$dir/$gpu.$name.txt 2>>$dir/panfrost.err ||
			{ echo "FAIL: $name does not compile for $gpu; see $dir/panfrost.err"; exit 1; }
		inputs+=($kind:$dir/$gpu.$name.txt)
	done
done

# What Panfrost's compilers print when asked to, with a disassembly at its end: it runs as the words do.
for gpu in 0x860:midgard 0x7212:bifrost; do
	isa=${gpu#*:} dump=$dir/debug.${gpu#*:}
	MIDGARD_MESA_DEBUG=shaders,verbose BIFROST_MESA_DEBUG=shaders build/panfrost-compile ${gpu%:*} 100 \
		userspace/tests/mesa/glsl/float.100.* >$dump.all 2>>$dir/panfrost.err || { echo "FAIL: no $dump.all"; exit 1; }
	awk '/^shader MESA/ { own = 1 } !own; /^end$/ { own = 0 }' $dump.all >$dump.txt
	sed -n 's/^words //p' $dump.all | tail -n 1 >$dump.hex
	build/limn exec -i $isa --hex $dump.hex >$dump.want && build/limn exec -i $isa --stage fragment $dump.txt >$dump.have &&
		cmp $dump.want $dump.have && [ "$(wc -l <$dump.have)" -gt 9 ] || { echo "FAIL: $dump.txt does not run as its words"; exit 1; }
done

data=${LIMN_DATA:-}/vivante
data=${LIMN_DATA:-}/vivante
if [ -n "${LIMN_DATA:-}" ] && [ -d "$data" ]; then
	for file in "$data"/*-cmdbuf*.txt "$data"/context-index.txt; do
		inputs+=(vivante-capture:"$file")
	done
else
	echo "no captures of real chips (LIMN_DATA): skipped"
fi

python3 userspace/tests/isa/corpora.py --lib build/liblimn.so "${inputs[@]}"
