// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/mbs.h"
#include "tool/json.h"
#include "tool/shader_file.h"

#define MAX_SIZE (256u << 20)
#define CHUNK 65536
#define MAPPED CHUNK	/* files from this size on are mapped */

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

static void became_shorter(int signal)
{
	static const char text[] = "limn: the file became shorter while it was read\n";

	_exit(write(STDERR_FILENO, text, sizeof(text) - 1) < 0 ? 2 : 1);
}

/* A large file in memory as it is, private to us: no copy, and no pages to clear. False: it has to be read. */
static bool map_file(struct shader_file *file, int fd)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < MAPPED || st.st_size >= (off_t)MAX_SIZE ||
	    lseek(fd, 0, SEEK_CUR))
		return false;
	/* Written to later: what is populated for writing is copied. */
	p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	if (mprotect(p, st.st_size, PROT_READ | PROT_WRITE)) {
		munmap(p, st.st_size);
		return false;
	}
	signal(SIGBUS, became_shorter);
	file->map = file->data = p;
	file->map_size = file->size = st.st_size;
	return true;
}

static bool read_file(struct shader_file *file, FILE *f)
{
	size_t room = 0, n = 1;

	while (n && file->size < MAX_SIZE) {
		if (room - file->size < CHUNK) {
			char *p = realloc(file->data, room += room + CHUNK);

			if (!p) {
				errno = ENOMEM;
				return false;
			}
			file->data = p;
		}
		n = fread(file->data + file->size, 1, room - file->size, f);
		file->size += n;
	}
	return !n && !ferror(f);
}

bool shader_read(const char *command, struct shader_file *file)
{
	FILE *f = strcmp(file->path, "-") ? fopen(file->path, "rb") : stdin;
	bool ok = f && (map_file(file, fileno(f)) || read_file(file, f));

	if (!ok)
		fprintf(stderr, "limn %s: %s: %s\n", command, file->path,
			f && file->size >= MAX_SIZE ? "too large" : strerror(errno));
	if (f && f != stdin)
		fclose(f);
	return ok;
}

#define SHOWN	160	/* bytes of a line at most */

/* Where a line begins; messages come in the order of lines, or nearly so. */
struct line_place {
	const char *at;
	unsigned int line;
};

static bool go_to(const struct shader_file *file, struct line_place *place, unsigned int line)
{
	const char *end = file->data + file->size;

	if (!place->at || line < place->line)
		*place = (struct line_place){ file->data, 1 };
	while (place->line < line) {
		const char *nl = memchr(place->at, '\n', end - place->at);

		if (!nl)
			return false;
		*place = (struct line_place){ nl + 1, place->line + 1 };
	}
	return true;
}

static bool continues_utf8(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The line, or of a long one what is around the column, with a caret below. Nothing that moves the cursor. */
static void show(const struct shader_file *file, const struct isa_message *m, struct line_place *place, FILE *to)
{
	const char *end = file->data + file->size, *from, *at, *nl;

	if (!go_to(file, place, m->line))
		return;
	from = place->at;
	at = (size_t)(m->column - 1) < (size_t)(end - from) ? from + m->column - 1 : end;
	if (at - from > SHOWN / 2)
		for (from = at - SHOWN / 2; from < at && continues_utf8(*from);)
			from++;
	if (end - from > SHOWN)
		for (end = from + SHOWN; end > at && continues_utf8(*end);)
			end--;
	nl = memchr(at, '\n', end - at);
	end = nl ? nl : end;
	fputs("  ", to);
	for (const char *p = from; p < end; p++)
		if (*p != '\r' || p + 1 < end)
			fputc(((unsigned char)*p < ' ' && *p != '\t') || *p == 0x7f ? '?' : *p, to);
	fputs("\n  ", to);
	for (const char *p = from; p < at; p++)
		if (!continues_utf8(*p))
			fputc(*p == '\t' ? '\t' : ' ', to);
	fputs("^\n", to);
}

static void print_json(const struct shader_file *file, const struct isa_messages *messages, FILE *to)
{
	struct json j = { .to = to };

	json_array(&j, NULL);
	for (size_t i = 0; i < messages->count; i++) {
		const struct isa_message *m = &messages->list[i];

		json_object(&j, NULL);
		json_string(&j, "file", file->path);
		json_int(&j, "line", m->line);
		json_int(&j, "column", m->column);
		json_string(&j, "severity", "error");
		json_string(&j, "message", m->text);
		json_end_object(&j);
	}
	json_end_array(&j);
}

static void print_messages(const struct shader_file *file, const struct isa_messages *messages)
{
	struct line_place place = { 0 };
	size_t length = 0;
	char *text = NULL;
	/* Standard error has no buffer, and there may be millions. */
	FILE *to = messages->count ? open_memstream(&text, &length) : NULL;

	for (size_t i = 0; to && i < messages->count; i++) {
		const struct isa_message *m = &messages->list[i];

		fprintf(to, "%s:%u:%u: %s\n", file->path, m->line, m->column, m->text);
		show(file, m, &place, to);
		if (i + 1 < messages->count && ftell(to) < CHUNK)
			continue;
		fflush(to);
		fwrite(text, 1, length, stderr);
		rewind(to);
	}
	if (to)
		fclose(to);
	free(text);
}

bool shader_assemble(struct shader_file *file, enum shader_messages how)
{
	struct isa_messages messages;
	const char *text = file->data ? file->data : "";
	int err = (file->keep_lines ? isa_asm_lines : isa_asm)(file->isa, text, file->size, &file->words, &file->count,
							       &messages);

	if (how == SHADER_TEXT)
		print_messages(file, &messages);
	else if (how == SHADER_JSON || messages.count)
		print_json(file, &messages, how == SHADER_JSON ? stderr : stdout);
	file->lines = messages.lines;
	file->line_count = messages.line_count;
	messages.lines = NULL;
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

bool shader_unpack(const char *command, struct shader_file *file)
{
	size_t offset, length;
	const char *why;

	if (!mbs_is(file->data, file->size))
		return true;
	if (mbs_find(file->isa, file->data, file->size, &offset, &length, &why)) {
		fprintf(stderr, "limn %s: %s: MBS1 container: %s\n", command, file->path, why);
		return false;
	}
	memmove(file->data, file->data + offset, length);
	file->size = length;
	return true;
}

bool shader_is_text(const struct shader_file *file)
{
	const char *e = ending(file->path);

	return !strcmp(e, ".gp") || !strcmp(e, ".pp") || !strcmp(e, ".asm") || !strcmp(e, ".txt");
}

bool shader_any(const char *command, struct shader_file *file, bool hex)
{
	if (!hex && shader_is_text(file))
		return shader_assemble(file, SHADER_TEXT);
	return shader_binary(command, file, hex);
}

void shader_free(struct shader_file *file)
{
	if (file->map && munmap(file->map, file->map_size))
		return;
	if (file->data != file->map)
		free(file->data);
	if ((void *)file->words != file->map)
		free(file->words);
	free(file->lines);
}
