#!/bin/bash
# SPDX-License-Identifier: MIT
# limn decode on a dump that is laid out by the structures of mainline's own lima_dump.h, in the
# order in which lima_sched_build_error_task_list() writes them. It is not one that the driver wrote:
# lima of Linux 6.12 cannot save one. drm_sched_entity_pop_job() sets job->entity to NULL (sched_entity.c),
# and that function, which runs at a timeout when lima.sched_max_error_tasks is not 0, begins with
# container_of(job->entity): an oops.
set -u
lima=$(scripts/kernel/build --dir plain)/src/drivers/gpu/drm/lima
[ -e "$lima/lima_dump.h" ] || { echo "no kernel source"; exit 77; }
make -s build/limn || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/write.c" <<'C'
#include <stdio.h>
#include <string.h>
#include <drm/lima_drm.h>
#include "lima_dump.h"
#include <limn/utgard/gp_stream.h>

#define VA 0x20000u

static void chunk(FILE *f, __u32 id, __u32 arg, const void *data, __u32 size)
{
	struct lima_dump_chunk_buffer c = { .id = id, .size = size, .va = arg };

	fwrite(&c, sizeof(c), 1, f);
	fwrite(data, 1, size, f);
}

/* A GP list that jumps back to itself, and a PP job whose list is nowhere. */
int main(int argc, char **argv)
{
	const __u32 list[4] = { 0, 0, VA, (__u32)GP_OP_JUMP << GP_OP_SHIFT };
	struct drm_lima_gp_frame gp = { .frame = { VA, VA, VA, VA + 16, 0, 0 } };
	struct drm_lima_m400_pp_frame pp = { .num_pp = 2, .plbu_array_address = { 0x30000, 0x30100 } };
	const __u32 chunks = 3 * sizeof(struct lima_dump_chunk) + 16;	/* frame, name, pid; the name's text */
	struct lima_dump_task task[2] = {
		{ .id = LIMA_DUMP_TASK_GP, .num_chunks = 4,
		  .size = chunks + sizeof(gp) + sizeof(struct lima_dump_chunk_buffer) + sizeof(list) },
		{ .id = LIMA_DUMP_TASK_PP, .num_chunks = 3, .size = chunks + sizeof(pp) },
	};
	struct lima_dump_head head = {
		.magic = LIMA_DUMP_MAGIC, .version_major = LIMA_DUMP_MAJOR, .version_minor = LIMA_DUMP_MINOR,
		.num_tasks = 2, .size = 2 * sizeof(task[0]) + task[0].size + task[1].size,
	};
	FILE *f = fopen(argv[1], "wb");

	fwrite(&head, sizeof(head), 1, f);
	for (int i = 0; i < 2; i++) {
		fwrite(&task[i], sizeof(task[i]), 1, f);
		chunk(f, LIMA_DUMP_CHUNK_FRAME, 0, i ? (void *)&pp : (void *)&gp, i ? sizeof(pp) : sizeof(gp));
		chunk(f, LIMA_DUMP_CHUNK_PROCESS_NAME, 0, i ? "second\0\0\0\0\0\0\0\0\0" : "the-first\0\0\0\0\0\0", 16);
		chunk(f, LIMA_DUMP_CHUNK_PROCESS_ID, 4711 + i, "", 0);
		if (!i)
			chunk(f, LIMA_DUMP_CHUNK_BUFFER, VA, list, sizeof(list));
	}
	return fclose(f);
}
C
${CC:-gcc} -Wall -Werror -I include -I build/include -isystem /usr/include/libdrm -I "$lima" "$dir/write.c" -o "$dir/write" &&
	"$dir/write" "$dir/dump" || exit 1
build/limn decode "$dir/dump" >"$dir/text" || { echo "limn decode failed"; exit 1; }
build/limn decode --all "$dir/dump" >/dev/null || { echo "limn decode --all failed"; exit 1; }
failed=0
python3 userspace/tests/host/lib/decode-json.py "$dir/dump" || failed=1
for text in "lima 1" "the-first" 4711 "second" 4712 "jump to" "comes back to where it has been"; do
	grep -q -- "$text" "$dir/text" || { echo "no '$text' in"; cat "$dir/text"; failed=1; }
done
head -c 200 "$dir/dump" >"$dir/cut"
build/limn decode "$dir/cut" 2>&1 | grep -q "is cut off" || { echo "a dump that is cut does not say so"; failed=1; }
exit $failed
