// SPDX-License-Identifier: MIT
/* limn decode DUMP: the three formats, dumps that are cut or spoilt, and lists that end in each way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <limn/dump.h>
#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>

#include "lib/utgard/decode.h"
#include "tool/dump.h"
#include "tool/json.h"

#define VA	0x10000u

struct file {
	uint8_t data[4096];
	size_t size;
};

static void put(struct file *f, const void *data, size_t size)
{
	assert_true(f->size + size <= sizeof(f->data));
	if (size)
		memcpy(f->data + f->size, data, size);
	f->size += size;
}

static void put32(struct file *f, uint32_t w)
{
	put(f, &w, sizeof(w));
}

static void section(struct file *f, uint32_t type, uint32_t flags, uint64_t va, uint64_t arg, const char *name,
		    const void *data, size_t size)
{
	struct limn_dump_section s = {
		.type = type, .flags = flags, .header_size = sizeof(s), .size = size, .va = va, .arg = arg,
	};

	snprintf(s.name, sizeof(s.name), "%s", name);
	put(f, &s, sizeof(s));
	put(f, data, size);
	while (f->size % 8)
		put(f, "", 1);
}

static const uint32_t list[] = { 0, PLBU_W1_END };
static const uint32_t frame[] = { 0, 0, VA, VA + 8, 0, 0 };

static void make_limn(struct file *f)
{
	const struct limn_dump_header header = {
		LIMN_DUMP_MAGIC, LIMN_DUMP_MAJOR, LIMN_DUMP_MINOR, sizeof(header), LIMN_DUMP_UTGARD,
	};
	static const char info[] = "error: -110\nfault: 0x12\nprocess: a test\npid: 77\n";
	const struct limn_dump_reg regs[] = { { 0x68, 8 }, { 0x24, 0 } };

	memset(f, 0, sizeof(*f));
	put(f, &header, sizeof(header));
	while (f->size < sizeof(header))
		put(f, "", 1);
	section(f, LIMN_DUMP_INFO, 0, 0, 0, "", info, sizeof(info) - 1);
	section(f, LIMN_DUMP_REGS, 0, 0, 0, "gp", regs, sizeof(regs));
	section(f, 4711, 0, 0, 0, "of the future", "x", 1);
	section(f, LIMN_DUMP_JOB, 0, 0, 0, "gp", frame, sizeof(frame));
	section(f, LIMN_DUMP_PAGE_TABLE, LIMN_DUMP_DIRECTORY, 0, 0, "", list, sizeof(list));
	section(f, LIMN_DUMP_BO, 0, VA, 0x2000, "lists", list, sizeof(list));
	section(f, LIMN_DUMP_END, 0, 0, 0, "", NULL, 0);
}

/* As lima_sched.c writes it: head, one task with frame, name, pid, buffer. */
static void make_lima(struct file *f)
{
	uint32_t task = 4 * 16 + sizeof(frame) + 16 + sizeof(list);

	memset(f, 0, sizeof(*f));
	put(f, "LIMA", 4);
	put32(f, 1);
	put32(f, 1);
	put32(f, 16 + task);
	for (int i = 0; i < 4; i++)
		put32(f, 0);
	put32(f, 0);		/* GP */
	put32(f, task);
	put32(f, 4);
	put32(f, 0);
	put32(f, 0);		/* frame */
	put32(f, sizeof(frame));
	put32(f, 0);
	put32(f, 0);
	put(f, frame, sizeof(frame));
	put32(f, 2);		/* process name */
	put32(f, 16);
	put32(f, 0);
	put32(f, 0);
	put(f, "a test\0\0\0\0\0\0\0\0\0", 16);
	put32(f, 3);		/* process id */
	put32(f, 0);
	put32(f, 77);
	put32(f, 0);
	put32(f, 1);		/* buffer */
	put32(f, sizeof(list));
	put32(f, VA);
	put32(f, 0);
	put(f, list, sizeof(list));
}

static void etna_object(struct file *f, uint32_t type, uint32_t offset, uint32_t size, uint32_t iova)
{
	put(f, "ETNA", 4);
	put32(f, type);
	put32(f, offset);
	put32(f, size);
	put32(f, iova);
	for (int i = 0; i < 3; i++)
		put32(f, 0);
}

static void make_etnaviv(struct file *f)
{
	memset(f, 0, sizeof(*f));
	etna_object(f, 0, 160, 8, 0);		/* registers */
	etna_object(f, 1, 168, 8, 0);		/* MMU */
	etna_object(f, 2, 176, 8, 0x1000);	/* ring */
	etna_object(f, 5, 184, 8, 0x5000);	/* BO */
	etna_object(f, 6, 192, 0, 0);
	put32(f, 0x664);
	put32(f, 0x1004);
	for (int i = 0; i < 6; i++)
		put32(f, 0x10000000);
}

/* --- Is it JSON? (RFC 8259) ---------------------------------------------------------- */

static const char *skip_value(const char *p);

static const char *skip_space(const char *p)
{
	return p + strspn(p, " \t\n\r");
}

static const char *skip_string(const char *p)
{
	assert_int_equal(*p, '"');
	for (p++; *p != '"'; p++) {
		assert_true((unsigned char)*p >= 0x20);
		if (*p == '\\') {
			p++;
			assert_non_null(strchr("\"\\/bfnrtu", *p));
			for (int i = 0; *p == 'u' && i < 4; i++)
				assert_non_null(strchr("0123456789abcdef", p[1 + i]));
		}
	}
	return p + 1;
}

static const char *skip_members(const char *p, char last)
{
	p = skip_space(p + 1);
	if (*p == last)
		return p + 1;
	for (;; p = skip_space(p + 1)) {
		if (last == '}') {
			p = skip_space(skip_string(p));
			assert_int_equal(*p++, ':');
		}
		p = skip_space(skip_value(p));
		if (*p == last)
			return p + 1;
		assert_int_equal(*p, ',');
	}
}

static const char *skip_value(const char *p)
{
	static const char *const words[] = { "true", "false", "null" };

	p = skip_space(p);
	if (*p == '{' || *p == '[')
		return skip_members(p, *p == '{' ? '}' : ']');
	if (*p == '"')
		return skip_string(p);
	for (unsigned int i = 0; i < 3; i++) {
		if (!strncmp(p, words[i], strlen(words[i])))
			return p + strlen(words[i]);
	}
	p += *p == '-';
	assert_true(*p >= '0' && *p <= '9');
	return p + strspn(p, "0123456789");
}

/* One value and nothing else, but for a dump that is none: then nothing at all. */
static void assert_json(const uint8_t *data, size_t size, bool good, bool all)
{
	char *text = NULL;
	size_t len = 0;
	struct json json = { .to = open_memstream(&text, &len) };
	const struct dump_options o = { .all = all, .json = &json };

	assert_int_equal(dump_print("a dump", data, size, &o), good ? 0 : 1);
	fclose(json.to);
	assert_int_equal(json.depth, 0);
	if (good)
		assert_int_equal(*skip_space(skip_value(text)), '\0');
	else
		assert_int_equal(len, 0);
	free(text);
}

static void json_of_all(void **state)
{
	void (*const make[])(struct file *) = { make_limn, make_lima, make_etnaviv };

	for (unsigned int k = 0; k < 3; k++) {
		struct file f;

		make[k](&f);
		assert_json(f.data, f.size, true, false);
		assert_json(f.data, f.size, true, true);
		assert_json(f.data, 3, false, true);
	}
}

/* Labels and names are anybody's bytes. */
static void json_of_bytes(void **state)
{
	static const char odd[] = "a\"b\\c\n\x7f\xff\xc3\xa9\xed\xa0\x80\xc0\x80\xf4\x90\x80\x80\xe2\x82";
	static const char wanted[] = "\"a\\\"b\\\\c\\u000a\\u007f\\u00ff\xc3\xa9\\u00ed\\u00a0\\u0080"
				     "\\u00c0\\u0080\\u00f4\\u0090\\u0080\\u0080\\u00e2\\u0082\"";
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);

	json_print_string(to, odd);
	fclose(to);
	assert_string_equal(text, wanted);
	free(text);
}

static bool read_file(const struct file *f, size_t size, struct dump *dump, char *error)
{
	/* Exactly as long as it is, so that a sanitizer sees what reads beyond. */
	uint8_t *copy = malloc(size ? size : 1);
	bool ok;

	memcpy(copy, f->data, size);
	error[0] = '\0';
	ok = dump_read(copy, size, dump, error, 160);
	if (!ok)
		assert_non_null(strstr(error, "byte "));
	if (ok && size == f->size)
		assert_json(copy, size, true, true);
	/* What is in it may be looked at as long as the data is there. */
	for (size_t i = 0; i < dump->num_jobs; i++)
		dump_memory(&dump->jobs[i], VA, 8);
	dump_free(dump);
	free(copy);
	return ok;
}

static void limn_format(void **state)
{
	struct file f;
	struct dump d;
	char error[160] = "";
	uint32_t value = 0;

	make_limn(&f);
	assert_true(dump_read(f.data, f.size, &d, error, sizeof(error)));
	assert_false(d.partial);
	assert_false(d.vivante);
	assert_int_equal(d.error, -110);
	assert_int_equal(d.fault, 0x12);
	assert_int_equal(d.num_jobs, 1);
	assert_int_equal(d.jobs[0].pid, 77);
	assert_string_equal(d.jobs[0].process, "a test");
	assert_int_equal(d.jobs[0].queue, 0);
	assert_int_equal(d.jobs[0].frame_size, sizeof(frame));
	assert_true(dump_reg(&d, "gp", 0x68, &value));
	assert_int_equal(value, 8);
	assert_false(dump_reg(&d, "gp", 0x6c, &value));
	assert_int_equal(d.num_tables, 1);
	assert_memory_equal(dump_memory(&d.jobs[0], VA, 8), list, 8);
	assert_null(dump_memory(&d.jobs[0], VA, 12));
	assert_null(dump_memory(&d.jobs[0], VA + 0x1000, 8));	/* of the BO, but not in the dump */
	assert_non_null(dump_region_of(&d.jobs[0], VA + 0x1000));
	assert_null(dump_region_of(&d.jobs[0], VA + 0x2000));
	dump_free(&d);
}

static void lima_format(void **state)
{
	struct file f;
	struct dump d;
	char error[160] = "";

	make_lima(&f);
	assert_true(dump_read(f.data, f.size, &d, error, sizeof(error)));
	assert_int_equal(d.num_jobs, 1);
	assert_int_equal(d.jobs[0].queue, 0);
	assert_int_equal(d.jobs[0].pid, 77);
	assert_string_equal(d.jobs[0].process, "a test");
	assert_memory_equal(d.jobs[0].frame, frame, sizeof(frame));
	assert_memory_equal(dump_memory(&d.jobs[0], VA, 8), list, 8);
	dump_free(&d);
}

static void etnaviv_format(void **state)
{
	struct file f;
	struct dump d;
	char error[160] = "";
	uint32_t value = 0;

	make_etnaviv(&f);
	assert_true(dump_read(f.data, f.size, &d, error, sizeof(error)));
	assert_true(d.vivante);
	assert_int_equal(d.num_jobs, 1);
	assert_int_equal(d.jobs[0].num_regions, 2);
	assert_true(d.jobs[0].regions[0].stream);
	assert_true(dump_reg(&d, "gpu", 0x664, &value));
	assert_int_equal(value, 0x1004);
	assert_non_null(dump_memory(&d.jobs[0], 0x5000, 8));
	dump_free(&d);
}

/* Cut anywhere, and every byte spoilt in turn: an error with its place, or less to see; nothing worse. */
static void spoilt(void **state)
{
	void (*const make[])(struct file *) = { make_limn, make_lima, make_etnaviv };
	struct dump d;
	char error[160];

	for (unsigned int k = 0; k < 3; k++) {
		struct file f;

		make[k](&f);
		for (size_t size = 0; size < f.size; size++) {
			bool ok = read_file(&f, size, &d, error);

			/* limn's may end early; the others know how long they are, but for etnaviv's padding. */
			if (k == 1)
				assert_false(ok);
		}
		for (size_t i = 0; i < f.size; i++) {
			for (unsigned int v = 0; v < 256; v += 5) {
				uint8_t old = f.data[i];

				f.data[i] = v;
				read_file(&f, f.size, &d, error);
				f.data[i] = old;
			}
		}
	}
	assert_false(dump_read("ELF!", 4, &d, error, sizeof(error)));
	dump_free(&d);
}

static const void *words_at(void *ctx, uint32_t va, uint32_t len)
{
	const uint32_t *words = ctx;

	return va >= VA && va + len <= VA + 64 ? (const char *)words + (va - VA) : NULL;
}

static enum utgard_end walk(const uint32_t *words, enum utgard_list kind, uint32_t start, uint32_t end, uint32_t *va)
{
	uint32_t room[16] = { 0 };
	const struct utgard_memory memory = { room, words_at };
	struct utgard_walk w;

	memcpy(room, words, 64);
	limn_utgard_decode(&memory, kind, start, end, NULL, NULL, &w);
	*va = w.va;
	return w.end;
}

static void list_ends(void **state)
{
	static const uint32_t plbu[16] = { 1, 0x1000010d, VA + 24, 0xf0000000, 0, 0xc0000000, 0, PLBU_W1_END };
	static const uint32_t loop[16] = { 1, 0x1000010d, 2, 0x1000010d, VA + 8, 0xf0000000 };
	static const uint32_t away[16] = { 0x500, 0xf0000000 };
	static const uint32_t vs[16] = { 0, VS_W1_FLUSH, 0, VS_W1_FLUSH };
	static const uint32_t tiles[16] = {
		0, PPS_BEGIN_TILE, PPS_CALL_WORD(VA + 32), PPS_CALL, 0, PPS_END, 0, 0,
		0, 0, PLB_RETURN_LO, PLB_RETURN_HI,
	};
	static const uint32_t tiles_loop[16] = {
		0, PPS_BEGIN_TILE, PPS_CALL_WORD(VA + 32), PPS_CALL, 0, PPS_END, 0, 0,
		0, 0, PLB_JUMP_LO(VA + 32), PLB_JUMP_HI,
	};
	uint32_t va;

	assert_int_equal(walk(plbu, UTGARD_PLBU_LIST, VA, 0, &va), UTGARD_END_END);
	assert_int_equal(va, VA + 24);
	assert_int_equal(walk(plbu, UTGARD_PLBU_LIST, VA + 16, 0, &va), UTGARD_END_INVALID);
	assert_int_equal(va, VA + 16);
	assert_int_equal(walk(loop, UTGARD_PLBU_LIST, VA, 0, &va), UTGARD_END_LOOP);
	assert_int_equal(va, VA + 16);
	assert_int_equal(walk(away, UTGARD_VS_LIST, VA, 0, &va), UTGARD_END_MEMORY);
	assert_int_equal(va, 0x500);
	assert_int_equal(walk(vs, UTGARD_VS_LIST, VA, VA + 16, &va), UTGARD_END_END);
	assert_int_equal(walk(vs, UTGARD_VS_LIST, VA + 4, 0, &va), UTGARD_END_MEMORY);
	assert_int_equal(walk(tiles, UTGARD_TILE_LIST, VA, 0, &va), UTGARD_END_END);
	assert_int_equal(va, VA + 16);
	assert_int_equal(walk(tiles_loop, UTGARD_TILE_LIST, VA, 0, &va), UTGARD_END_LOOP);
	assert_int_equal(va, VA + 40);
}

/* Any words: an end, in time. */
static void any_words(void **state)
{
	uint32_t x = 1, words[16], va;

	for (unsigned int round = 0; round < 20000; round++) {
		for (unsigned int i = 0; i < 16; i++) {
			x = x * 1664525 + 1013904223;
			words[i] = i % 2 ? x : x % 3 ? VA + (x >> 8) % 8 * 8 : x;
		}
		for (unsigned int kind = 0; kind < 3; kind++)
			walk(words, kind, VA, 0, &va);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limn_format), cmocka_unit_test(lima_format), cmocka_unit_test(etnaviv_format),
		cmocka_unit_test(json_of_all), cmocka_unit_test(json_of_bytes), cmocka_unit_test(spoilt),
		cmocka_unit_test(list_ends), cmocka_unit_test(any_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
