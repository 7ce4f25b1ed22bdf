// SPDX-License-Identifier: MIT
/* Draws with random words in random 3D states: they may hang or fault, and nothing worse. */
#include "tests/isa/random.h"
#include "tests/model/viv_scene.h"

static void test_random_states(void **unused)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x600, 0x63c }, { 0x644, 0x650 }, { 0x674, 0x6bc }, { 0x780, 0x7bc }, { 0x800, 0x8fc }, { 0xa00, 0xaac },
		{ 0xc00, 0xc24 }, { 0xe00, 0xe7c }, { 0x1000, 0x1094 }, { 0x1400, 0x14bc }, { 0x2000, 0x2ffc }, { 0x3818, 0x3838 },
		{ 0x3884, 0x38fc }, { 0x10000, 0x10ffc }, { 0x14600, 0x146bc }, { 0x14800, 0x149fc }, { 0x15c00, 0x15c3c },
		{ 0x16c00, 0x172fc }, { 0x17800, 0x17aff }, { 0xc000, 0xc0fc }, { 0xd000, 0xd0fc }, { 0x5000, 0x50fc },
	};
	static const struct vert v[3] = {
		{ { -1, -1, 0, 1 }, { 0, 0, 1, 1 } }, { { 3, -1, 0, 1 }, { 2, 0, 1, 1 } }, { { -1, 3, 0, 1 }, { 0, 2, 1, 1 } },
	};
	unsigned int ended = 0;

	random_seed();
	for (unsigned int n = 0; n < 120; n++) {
		scene_open(&s, chips[n % CHIPS]);
		s.e.expect_reports = true;
		scene_vertices(&s, v, 3);
		scene_states(&s);
		if (n & 1)
			program(&s, false, "texld t1, tex0, t1, void, void\n");
		for (unsigned int i = 1 + random_word() % 8; i; i--) {
			unsigned int r = random_word() % (COUNT(ranges));
			uint32_t address = ranges[r].first + random_word() % (ranges[r].last - ranges[r].first);

			/* Small numbers, single bits, floats and noise. */
			switch (random_word() % 4) {
			case 0: set(&s.e, address & ~3u, random_word() % 64); break;
			case 1: set(&s.e, address & ~3u, 1u << random_word() % 32); break;
			case 2: setf(&s.e, address & ~3u, random_in(-1000, 1000)); break;
			default: set(&s.e, address & ~3u, random_word());
			}
		}
		ended += scene_draw(&s, 1 + random_word() % 8, 1 + random_word() % 3) == HOST_OK;
	}
	/* Most of it is harmless. */
	assert_true(ended > 20);
}

#define TESTS(T) T(test_random_states)

UNIT_MAIN(TESTS, scene_end)
