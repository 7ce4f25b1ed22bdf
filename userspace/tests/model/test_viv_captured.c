// SPDX-License-Identifier: MIT
/*
 * The streams that the vendor's driver sent (LIMN_DATA/vivante) through the strict model, each program's in
 * their order: all end, and nothing is reported. Memory is zero, and every address moved into it, for what was
 * there is not known: pixels are not compared.
 */
#include <inttypes.h>
#include <stdbool.h>

#include "lib/vivante/states.h"
#include "tests/driver/streams.h"
#include "tests/model/viv_stream.h"

#define REGION	(16u << 20)	/* of the client's addresses that are one BO here */

static const char *folder;

struct region {
	uint32_t from, va;
};

/* Where the client's address is here. */
static uint32_t moved(struct env *e, struct region *regions, unsigned int *n, uint32_t address)
{
	uint32_t handle, backed, from = address & ~(REGION - 1);
	unsigned int i = 0;
	void *map;

	while (i < *n && regions[i].from != from)
		i++;
	if (i == *n) {
		assert_in_range(*n, 0, 7);
		assert_int_equal(host_bo_create(e->host, REGION, 0, &handle), 0);
		assert_int_equal(host_bo_info(e->host, handle, &regions[i].va, &map, &backed), 0);
		regions[(*n)++].from = from;
	}
	return regions[i].va + (address - from);
}

static void move_addresses(struct env *e, struct region *regions, unsigned int *n, struct stream *s)
{
	for (uint32_t i = 0, length; i < s->num_words; i += length) {
		uint32_t word = s->words[i], count = VIV_GET(VIV_FE_LOAD_STATE_HEADER_COUNT, word);
		uint32_t first = VIV_GET(VIV_FE_LOAD_STATE_HEADER_OFFSET, word) * 4;

		length = viv_fe_command_words(word);
		assert_true(length && length <= s->num_words - i);
		if (VIV_GET(VIV_FE_OPCODE, word) != FE_OPCODE_LOAD_STATE)
			continue;
		for (uint32_t k = 0; k < (count ? count : 1024); k++) {
			uint32_t index[2];
			const struct viv_row *row = limn_viv_state_at(first + 4 * k, index);

			if (row && row->kind == VIV_KIND_ADDR)
				s->words[i + 1 + k] = moved(e, regions, n, s->words[i + 1 + k]);
		}
	}
}

static void run_program(const char *name, const char *gpu, unsigned int streams)
{
	struct host_config config = { .gpu = gpu, .strict = true, .seed = 1, .ram = 192 << 20, .timeout = 200000,
				      .report = on_report };
	struct env *e = calloc(1, sizeof(*e));
	struct region regions[8];
	enum host_status status;
	unsigned int n = 0;
	char path[600];

	config.ctx = e;
	assert_int_equal(host_create(&config, &e->host), 0);
	for (unsigned int i = 1; i <= streams; i++) {
		struct stream s = { .words = calloc(STREAM_MAX_WORDS, 4) };
		FILE *f;

		snprintf(path, sizeof(path), "%s/vivante/%s-cmdbuf%u.txt", folder, name, i);
		f = fopen(path, "r");
		assert_non_null(f);
		stream_read_capture(&s, f);
		fclose(f);
		move_addresses(e, regions, &n, &s);
		assert_int_equal(host_submit_stream(e->host, HOST_PIPE_3D, s.words, s.num_words, &status), 0);
		if (status != HOST_OK || e->reports)
			fail_msg("%s: status %d, %u reports, the last one: %s", path, status, e->reports, e->last);
		stream_free(&s);
	}
	assert_true(n);
	host_destroy(e->host);
	free(e);
}

/*
 * All as a GC880: those that do not name it were believed to be a GC600's, but their tile status (of cube_cmd 1792
 * bytes for 448x256 pixels of four bytes) has two bits a tile, and a GC600 has four.
 */
static void test_captured(void **state)
{
	run_program("empty_screen_cmd", "gc880", 3);
	run_program("cube_cmd", "gc880", 4);
	run_program("companion_cmd", "gc880", 5);
	run_program("cube_cmd_gc880", "gc880", 4);
	run_program("companion_cmd_gc880", "gc880", 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_captured),
	};

	folder = getenv("LIMN_DATA");
	if (!folder) {
		printf("LIMN_DATA is not set: skipped\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
