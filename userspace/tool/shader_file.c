// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tool/shader_file.h"

#define MAX_SIZE (256u << 20)
#define CHUNK 65536

static const char *ending(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strchr(dot, '/') ? dot : "";
}

const struct isa *shader_isa(const char *command, const char *name, const char *path)
{
	const struct isa *isa;

	if (!name)
		name = !strcmp(ending(path), ".gp") ? "utgard-gp" : !strcmp(ending(path), ".pp") ? "utgard-pp" : NULL;
	if (!name) {
		fprintf(stderr, "limn %s: which instruction set? give -i:", command);
	} else {
		isa = isa_find(name);
		if (isa)
			return isa;
		fprintf(stderr, "limn %s: no instruction set '%s'; there are:", command, name);
	}
	for (unsigned int i = 0; (isa = isa_at(i)); i++)
		fprintf(stderr, " %s", isa_name(isa));
	fprintf(stderr, "\n");
	return NULL;
}

bool shader_read(const char *command, struct shader_file *file)
{
	FILE *f = strcmp(file->path, "-") ? fopen(file->path, "rb") : stdin;
	size_t room = 0, n = 1;
	struct stat st;

	/* All at once where the size is known; one more byte sees the end. */
	if (f && !fstat(fileno(f), &st) && S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size < MAX_SIZE)
		room = st.st_size + CHUNK + 1;
	while (f && n && file->size < MAX_SIZE) {
		if (!file->data || room - file->size < CHUNK) {
			char *p = realloc(file->data, room += file->data || !room ? room + CHUNK : 0);

			if (!p) {
				errno = ENOMEM;
				break;
			}
			file->data = p;
		}
		n = fread(file->data + file->size, 1, room - file->size, f);
		file->size += n;
	}
	if (!f || n || ferror(f)) {
		fprintf(stderr, "limn %s: %s: %s\n", command, file->path,
			f && file->size >= MAX_SIZE ? "too large" : strerror(errno));
		if (f && f != stdin)
			fclose(f);
		return false;
	}
	if (f != stdin)
		fclose(f);
	return true;
}

void shader_print_json_text(FILE *to, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = text[i];

		if (c == '"' || c == '\\')
			fprintf(to, "\\%c", c);
		else if (c < 0x20)
			fprintf(to, "\\u%04x", c);
		else
			fputc(c, to);
	}
}

void shader_print_json_string(FILE *to, const char *text)
{
	fputc('"', to);
	shader_print_json_text(to, text, strlen(text));
	fputc('"', to);
}

/* The line with a caret below the column. */
static void show(const struct shader_file *file, const struct isa_message *m)
{
	const char *p = file->data, *end = file->data + file->size, *nl;

	for (unsigned int line = 1; line < m->line; line++) {
		nl = memchr(p, '\n', end - p);
		if (!nl)
			return;
		p = nl + 1;
	}
	nl = memchr(p, '\n', end - p);
	fprintf(stderr, "  %.*s\n  ", (int)((nl ? nl : end) - p), p);
	for (unsigned int i = 1; i < m->column; i++)
		fputc(p[i - 1] == '\t' ? '\t' : ' ', stderr);
	fprintf(stderr, "^\n");
}

bool shader_assemble(struct shader_file *file, bool json)
{
	struct isa_messages messages;
	int err = isa_asm(file->isa, file->data ? file->data : "", file->size, &file->words, &file->count,
			  &messages);

	if (json && messages.count)
		fprintf(stderr, "[");
	for (size_t i = 0; i < messages.count; i++) {
		const struct isa_message *m = &messages.list[i];

		if (json) {
			fprintf(stderr, "%s{\"file\": ", i ? ", " : "");
			shader_print_json_string(stderr, file->path);
			fprintf(stderr, ", \"line\": %u, \"column\": %u, \"message\": ", m->line, m->column);
			shader_print_json_string(stderr, m->text);
			fprintf(stderr, "}");
			continue;
		}
		fprintf(stderr, "%s:%u:%u: %s\n", file->path, m->line, m->column, m->text);
		show(file, m);
	}
	if (json && messages.count)
		fprintf(stderr, "]\n");
	isa_messages_free(&messages);
	if (err == -ENOMEM)
		fprintf(stderr, "%s: out of memory\n", file->path);
	return !err;
}

static bool read_hex(const char *command, struct shader_file *file)
{
	const char *p = file->data, *end = p + file->size;
	unsigned int line = 1;

	file->words = malloc(file->size / 2 * sizeof(uint32_t) + 4);
	if (!file->words)
		return false;
	while (p < end) {
		char buf[12];
		size_t n = 0;

		if (*p == '#')
			while (p < end && *p != '\n')
				p++;
		if (p == end)
			break;
		if (isspace((unsigned char)*p) || *p == ',') {
			line += *p++ == '\n';
			continue;
		}
		if (end - p > 2 && p[0] == '0' && (p[1] | 32) == 'x')
			p += 2;
		while (p + n < end && isxdigit((unsigned char)p[n]))
			n++;
		if (!n || n > 8 || (p + n < end && !isspace((unsigned char)p[n]) && p[n] != ',')) {
			fprintf(stderr, "%s:%u: expected words of up to eight hexadecimal digits\n", file->path, line);
			return false;
		}
		memcpy(buf, p, n);
		buf[n] = 0;
		file->words[file->count++] = strtoul(buf, NULL, 16);
		p += n;
	}
	return true;
}

bool shader_binary(const char *command, struct shader_file *file, bool hex)
{
	if (hex)
		return read_hex(command, file);
	if (!shader_unpack(command, file))
		return false;
	if (file->size % 4) {
		fprintf(stderr, "limn %s: %s: %zu bytes are no whole number of 32-bit words\n", command,
			file->path, file->size);
		return false;
	}
	file->count = file->size / 4;
	/* The bytes become the words where they are. */
	file->words = (uint32_t *)file->data;
	file->data = NULL;
	for (size_t i = 0; i < file->count; i++)
		file->words[i] = le32toh(file->words[i]);
	return true;
}

/*
 * MBS1: chunks of a tag of four letters, a size and contents, nested: MBS1 holds
 * CFRA or CVER (four bytes of core version, then chunks), one of which is DBIN,
 * the code (Mesa lima/standalone/lima_disasm.c, limadriver.org).
 */
static uint32_t get32(const char *data)
{
	const unsigned char *p = (const unsigned char *)data;

	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

bool shader_unpack(const char *command, struct shader_file *file)
{
	const char *wrong = "it ends within a chunk", *tag;
	size_t at = 8, end;

	if (file->size < 8 || memcmp(file->data, "MBS1", 4))
		return true;
	tag = strcmp(isa_name(file->isa), "utgard-gp") ? "CFRA" : "CVER";
	end = file->size - 8 < get32(file->data + 4) ? file->size : 8 + get32(file->data + 4);
	/* The shader of the set that was asked for, then its code. */
	while (end - at >= 8) {
		size_t size = get32(file->data + at + 4);

		if (size > end - at - 8)
			break;
		if (memcmp(file->data + at, tag, 4)) {
			at += 8 + size;
		} else if (!strcmp(tag, "DBIN")) {
			memmove(file->data, file->data + at + 8, size);
			file->size = size;
			return true;
		} else if (size >= 4) {
			end = at + 8 + size;
			at += 12;
			tag = "DBIN";
		} else {
			at += 8 + size;
		}
		wrong = at >= end || end - at < 8 ? "it has no code for this instruction set" : wrong;
	}
	fprintf(stderr, "limn %s: %s: MBS1 container: %s\n", command, file->path, wrong);
	return false;
}

static void put_chunk(unsigned char *to, const char *tag, uint32_t size)
{
	memcpy(to, tag, 4);
	for (int i = 0; i < 4; i++)
		to[4 + i] = size >> 8 * i;
}

unsigned char *shader_pack(const struct shader_file *file, size_t *size)
{
	bool vertex = !strcmp(isa_name(file->isa), "utgard-gp");
	uint32_t bytes = file->count * 4;
	unsigned char *p;

	if (!vertex && strcmp(isa_name(file->isa), "utgard-pp"))
		return NULL;
	*size = 8 + 12 + 8 + bytes;
	p = calloc(1, *size);
	if (!p)
		return NULL;
	put_chunk(p, "MBS1", *size - 8);
	put_chunk(p + 8, vertex ? "CVER" : "CFRA", *size - 16);
	p[16] = vertex ? 6 : 7;		/* Mali-400's core versions (limadriver.org) */
	put_chunk(p + 20, "DBIN", bytes);
	for (size_t i = 0; i < bytes; i++)
		p[28 + i] = file->words[i / 4] >> i % 4 * 8;
	return p;
}

bool shader_any(const char *command, struct shader_file *file, bool hex)
{
	const char *e = ending(file->path);

	if (!hex && (!strcmp(e, ".gp") || !strcmp(e, ".pp") || !strcmp(e, ".asm") || !strcmp(e, ".txt")))
		return shader_assemble(file, false);
	return shader_binary(command, file, hex);
}

void shader_free(struct shader_file *file)
{
	free(file->data);
	free(file->words);
}
