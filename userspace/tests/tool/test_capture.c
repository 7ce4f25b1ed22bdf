// SPDX-License-Identifier: MIT
/* Reading captures: whole, cut anywhere, with any byte wrong, and of a client that lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

#include "tool/capture/capture.h"
#include "tool/capture/replay.h"

#define PATH	"out/check/test_capture.limncap"
#define PAGE	4096u

struct text {
	uint8_t data[65536];
	size_t size;
};

static void put(struct text *t, const void *data, size_t size)
{
	assert_true(t->size + size <= sizeof(t->data));
	memcpy(t->data + t->size, data, size);
	t->size += size;
}

static void put_header(struct text *t, uint16_t major)
{
	const struct limn_capture_header h = { LIMN_CAPTURE_MAGIC, major, 7, sizeof(h) };

	t->size = 0;
	put(t, &h, sizeof(h));
}

static void put_chunk(struct text *t, uint16_t type, const void *data, size_t size, bool compressed)
{
	struct limn_capture_chunk c = { .type = type, .process = 1, .stored = size, .size = size };
	size_t room = ZSTD_compressBound(size);
	uint8_t *small = malloc(room);

	if (compressed) {
		room = ZSTD_compress(small, room, data, size, 1);
		assert_false(ZSTD_isError(room));
		c.flags = LIMN_CAPTURE_COMPRESSED;
		c.stored = room;
		data = small;
	}
	c.check = crc32(crc32(0, (void *)&c, offsetof(struct limn_capture_chunk, check)), data, c.stored);
	put(t, &c, sizeof(c));
	put(t, data, c.stored);
	free(small);
}

static const struct limn_capture_file file = {
	.file = 1, .family = LIMN_CAPTURE_UTGARD, .num_cores = 1, .driver = "lima", .params = { { 1, 2 } },
};
static const struct limn_capture_bo bo = { .bo = 2, .file = 1, .size = 2 * PAGE, .va = 0x10000, .handle = 1 };

struct page {
	struct limn_capture_data data;
	struct limn_capture_run run;
	uint8_t bytes[PAGE];
};

struct submit {
	struct limn_capture_submit s;
	struct limn_capture_use use;
	uint32_t cmd[6];
};

static struct page page_of(uint64_t of, uint64_t offset, uint64_t size)
{
	struct page p = { .data = { .bo = of, .num_runs = 1 }, .run = { offset, size } };

	memset(p.bytes, 0x5a, sizeof(p.bytes));
	return p;
}

static struct submit a_submit(void)
{
	return (struct submit){
		.s = { .submit = 9, .file = 1, .ioctl = 3, .num_bos = 1, .cmd_size = 24, .group_size = 1 },
		.use = { .bo = 2, .va = 0x10000, .flags = 3 },
		.cmd = { 1, 2, 3, 4, 5, 6 },
	};
}

static void put_all(struct text *t)
{
	const struct limn_capture_process process = { .pid = 7 };
	const struct limn_capture_refused refused = { .submit = 9, .error = -22 };
	const struct page p = page_of(2, PAGE, PAGE);
	const struct submit s = a_submit();
	const struct limn_capture_closed closed = { .status = 0 };
	const uint64_t gone = 2;

	put_header(t, LIMN_CAPTURE_MAJOR);
	put_chunk(t, LIMN_CAPTURE_PROCESS, &process, sizeof(process), false);
	put_chunk(t, LIMN_CAPTURE_FILE, &file, sizeof(file), true);
	put_chunk(t, LIMN_CAPTURE_BO, &bo, sizeof(bo), false);
	put_chunk(t, 999, "of a newer version", 18, false);
	put_chunk(t, LIMN_CAPTURE_DATA, &p, sizeof(p), true);
	put_chunk(t, LIMN_CAPTURE_SUBMIT, &s, offsetof(struct submit, cmd) + sizeof(s.cmd), true);
	put_chunk(t, LIMN_CAPTURE_REFUSED, &refused, sizeof(refused), false);
	put_chunk(t, LIMN_CAPTURE_BO_FREE, &gone, sizeof(gone), false);
	put_chunk(t, LIMN_CAPTURE_CLOSED, &closed, sizeof(closed), false);
}

static struct capture *open_text(const struct text *t, size_t size)
{
	FILE *f = fopen(PATH, "wb");
	struct limn_error err = { "" };
	struct capture *c;

	assert_non_null(f);
	assert_int_equal(fwrite(t->data, 1, size, f), size);
	fclose(f);
	if (limn_capture_open(PATH, &c, &err))
		assert_true(err.text[0]);
	return c;
}

/* Events up to the end; -1: contents that no client can have made. */
static int walk(struct capture *c, struct limn_error *err)
{
	struct capture_event e = { .type = CAPTURE_EVENT_FILE };
	int n = 0;

	while (e.type != CAPTURE_EVENT_END) {
		if (limn_capture_next(c, &e, err))
			return -1;
		n += e.type != CAPTURE_EVENT_END;
	}
	return n;
}

static void test_whole(void **state)
{
	static struct text t;
	struct capture_event e;
	struct capture *c;

	put_all(&t);
	c = open_text(&t, t.size);
	assert_non_null(c);
	assert_true(limn_capture_is(PATH));
	for (int pass = 0; pass < 2; pass++) {
		assert_int_equal(limn_capture_next(c, &e, NULL), 0);
		assert_int_equal(e.type, CAPTURE_EVENT_PROCESS);
		assert_int_equal(e.told_process.pid, 7);
		assert_int_equal(limn_capture_next(c, &e, NULL), 0);
		assert_string_equal(capture_gpu(e.file), "mali-400-mp2");
		assert_int_equal(limn_capture_next(c, &e, NULL), 0);
		assert_int_equal(e.type, CAPTURE_EVENT_BO);
		assert_null(e.bo->data);
		assert_int_equal(limn_capture_next(c, &e, NULL), 0);
		assert_int_equal(e.type, CAPTURE_EVENT_DATA);
		assert_int_equal(e.bo->data[PAGE - 1], 0);
		assert_int_equal(e.bo->data[2 * PAGE - 1], 0x5a);
		assert_int_equal(limn_capture_next(c, &e, NULL), 0);
		assert_int_equal(e.type, CAPTURE_EVENT_SUBMIT);
		assert_int_equal(e.refused, -22);
		assert_ptr_equal(e.submit->uses[0].bo, limn_capture_bo_at(c, 0));
		assert_int_equal(e.submit->cmd[20], 6);
		assert_int_equal(walk(c, NULL), 1);
		assert_null(limn_capture_bo_at(c, 0));
		assert_null(limn_capture_damage(c));
		limn_capture_rewind(c);
	}
	limn_capture_close(c);
}

static void test_cut(void **state)
{
	static struct text t;
	int before = 0;

	put_all(&t);
	for (size_t size = 0; size < t.size; size += size < 200 ? 1 : 7) {
		struct capture *c = open_text(&t, size);
		int n;

		assert_true(!c == (size < sizeof(struct limn_capture_header)));
		if (!c)
			continue;
		n = walk(c, NULL);
		assert_true(n >= before && n <= 6);
		before = n;
		/* At the end of a chunk, too. */
		assert_non_null(limn_capture_damage(c));
		limn_capture_close(c);
	}
}

/* No byte can change without notice. */
static void test_spoilt(void **state)
{
	static struct text t;

	put_all(&t);
	for (size_t at = sizeof(struct limn_capture_header); at < t.size; at += 3) {
		struct capture *c;

		t.data[at] ^= 1 << at % 8;
		c = open_text(&t, t.size);
		assert_non_null(c);
		assert_true(walk(c, NULL) < 6 + (at >= t.size - sizeof(struct limn_capture_closed) - sizeof(struct limn_capture_chunk)));
		assert_non_null(limn_capture_damage(c));
		limn_capture_close(c);
		t.data[at] ^= 1 << at % 8;
	}
}

/* A file with one BO. */
static void put_start(struct text *t)
{
	put_header(t, LIMN_CAPTURE_MAJOR);
	put_chunk(t, LIMN_CAPTURE_FILE, &file, sizeof(file), true);
	put_chunk(t, LIMN_CAPTURE_BO, &bo, sizeof(bo), false);
}

static void lies(const char *what, uint16_t type, const void *data, size_t size)
{
	static struct text t;
	struct limn_error err = { "" };
	struct capture *c;

	put_start(&t);
	put_chunk(&t, type, data, size, false);
	c = open_text(&t, t.size);
	assert_non_null(c);
	assert_int_equal(walk(c, &err), -1);
	if (!strstr(err.text, what))
		fail_msg("'%s' has no '%s'", err.text, what);
	limn_capture_close(c);
}

static void test_lies(void **state)
{
	struct limn_capture_bo b = bo;
	struct page p = page_of(2, PAGE + 1, PAGE);
	struct submit s = a_submit();
	size_t size = offsetof(struct submit, cmd) + sizeof(s.cmd);

	lies("with the number of another one", LIMN_CAPTURE_BO, &b, sizeof(b));
	lies("is cut off", LIMN_CAPTURE_BO, &b, sizeof(b) - 1);
	b.bo = 3;
	b.size = 1ull << 40;
	lies("a size or an address", LIMN_CAPTURE_BO, &b, sizeof(b));
	b.size = PAGE + 1;
	lies("a size or an address", LIMN_CAPTURE_BO, &b, sizeof(b));
	b.file = 4;
	lies("never opened", LIMN_CAPTURE_BO, &b, sizeof(b));
	lies("beyond the end", LIMN_CAPTURE_DATA, &p, sizeof(p));
	p = page_of(2, ~0ull - PAGE + 1, PAGE);
	lies("beyond the end", LIMN_CAPTURE_DATA, &p, sizeof(p));
	p = page_of(2, 0, PAGE + 1);
	lies("beyond the end", LIMN_CAPTURE_DATA, &p, sizeof(p));
	p = page_of(3, 0, PAGE);
	lies("that there is not", LIMN_CAPTURE_DATA, &p, sizeof(p));
	p = page_of(2, 0, PAGE);
	p.data.num_runs = ~0u;
	lies("cut off", LIMN_CAPTURE_DATA, &p, sizeof(p));
	s.s.num_bos = ~0u;
	lies("lists are cut off", LIMN_CAPTURE_SUBMIT, &s, size);
	s = a_submit();
	s.s.num_pmrs = ~0u;
	lies("lists are cut off", LIMN_CAPTURE_SUBMIT, &s, size);
	s = a_submit();
	s.s.cmd_size = 25;
	lies("lists are cut off", LIMN_CAPTURE_SUBMIT, &s, size);
	s.s.file = 5;
	lies("never opened", LIMN_CAPTURE_SUBMIT, &s, size);
}

/* A BO of nobody, a frame of nonsense, a model that is none: each is an answer. */
static void test_replay(void **state)
{
	static struct text t;
	struct replay_options o = { .last = UINT32_MAX };
	struct submit s = a_submit();
	struct replay_totals totals;
	struct limn_error err = { "" };
	struct capture *c;

	put_start(&t);
	s.use.bo = 77;
	put_chunk(&t, LIMN_CAPTURE_SUBMIT, &s, offsetof(struct submit, cmd) + sizeof(s.cmd), true);
	c = open_text(&t, t.size);
	assert_int_equal(replay_here(c, &o, &totals, &err), 0);
	assert_int_equal(totals.submits, 1);
	assert_int_equal(totals.failed, 1);
	limn_capture_rewind(c);
	o.model = "gc2000";
	assert_int_equal(replay_here(c, &o, &totals, &err), -1);
	assert_non_null(strstr(err.text, "Mali Utgard"));
	limn_capture_close(c);
	put_header(&t, LIMN_CAPTURE_MAJOR + 1);
	assert_null(open_text(&t, t.size));
}

/* What the CPU writes behind a result, before any job, is no part of the result. */
static void test_written_behind_result(void **state)
{
	static struct text t;
	struct replay_options o = { .last = UINT32_MAX };
	struct page p = page_of(2, 0, PAGE);
	struct submit s = a_submit();
	struct replay_totals totals;
	struct limn_error err = { "" };
	struct capture *c;

	put_start(&t);
	put_chunk(&t, LIMN_CAPTURE_DATA, &p, sizeof(p), true);
	put_chunk(&t, LIMN_CAPTURE_SUBMIT, &s, offsetof(struct submit, cmd) + sizeof(s.cmd), true);
	p.data.kind = LIMN_CAPTURE_RESULT;
	put_chunk(&t, LIMN_CAPTURE_DATA, &p, sizeof(p), true);
	p.data.kind = LIMN_CAPTURE_WRITTEN;
	memset(p.bytes, 0xa5, sizeof(p.bytes));
	put_chunk(&t, LIMN_CAPTURE_DATA, &p, sizeof(p), true);
	c = open_text(&t, t.size);
	assert_int_equal(replay_here(c, &o, &totals, &err), 0);
	assert_int_equal(totals.results, 1);
	assert_int_equal(totals.different, 0);
	limn_capture_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole), cmocka_unit_test(test_cut),    cmocka_unit_test(test_spoilt),
		cmocka_unit_test(test_lies),  cmocka_unit_test(test_replay),
		cmocka_unit_test(test_written_behind_result),
	};
	int failed;

	if (access("out/check", F_OK) && system("mkdir -p out/check"))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(PATH);
	return failed;
}
