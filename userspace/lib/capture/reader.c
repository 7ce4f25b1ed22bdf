// SPDX-License-Identifier: MIT
/* Captures, chunk by chunk: nothing in the file is believed before it was checked. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>	/* crc32() */
#include <zstd.h>

#include "lib/capture/capture.h"

#define PAGE		4096u
#define MAX_BO		(512ull << 20)	/* bytes; what no GPU here can have */
#define MAX_ALL		(8ull << 30)	/* bytes of contents at a time, and half of what the machine has */

struct capture {
	const char *path;
	int fd;
	uint64_t size, at, first;	/* bytes; where the next chunk is, and the first one */
	struct capture_file **files;
	uint32_t num_files;
	struct capture_bo **bos;
	uint32_t num_bos;
	uint64_t bytes;			/* of BOs' contents */
	struct capture_bo *gone;	/* freed with the next event */
	struct capture_submit submit;
	uint32_t num_submits;
	uint8_t *stored;		/* what follows the header that was read last */
	size_t room;
	uint8_t *chunk;			/* decompressed, with a zero behind it */
	struct limn_capture_run *runs;
	bool closed;			/* limn capture says that it is whole */
	char damage[160];
};

static int fail(const struct capture *c, struct limn_error *err, const char *why)
{
	return limn_fail(err, -1, "%.120s: byte %llu: %s", c->path, (unsigned long long)c->at, why);
}

/* --- The file ---------------------------------------------------------------------------- */

bool limn_capture_is(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint64_t magic = 0;
	bool is = f && fread(&magic, sizeof(magic), 1, f) == 1 && magic == LIMN_CAPTURE_MAGIC;

	if (f)
		fclose(f);
	return is;
}

/* False: the file does not have them, or no longer. */
static bool read_at(const struct capture *c, uint64_t at, void *to, size_t size)
{
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		n = pread(c->fd, (uint8_t *)to + done, size - done, (off_t)(at + done));
		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static int open_file(struct capture *c, struct limn_error *err)
{
	struct stat st;

	c->fd = open(c->path, O_RDONLY | O_CLOEXEC);
	if (c->fd < 0 || fstat(c->fd, &st))
		return limn_fail(err, -1, "%.150s: %s", c->path, strerror(errno));
	if (!S_ISREG(st.st_mode) || !st.st_size)
		return limn_fail(err, -1, "%.150s: %s", c->path,
				 S_ISDIR(st.st_mode) ? "Is a directory" : S_ISREG(st.st_mode) ? "empty" : "no regular file");
	c->size = (uint64_t)st.st_size;
	return 0;
}

static int check_header(struct capture *c, struct limn_error *err)
{
	struct limn_capture_header h = { .magic = 0 };

	if (!read_at(c, 0, &h, c->size < sizeof(h) ? c->size : sizeof(h)) || h.magic != LIMN_CAPTURE_MAGIC)
		return limn_fail(err, -1, "%.150s: no capture", c->path);
	if (h.major != LIMN_CAPTURE_MAJOR)
		return limn_fail(err, -1, "%.150s: a capture of version %u.%u, this program knows %u", c->path, h.major, h.minor,
				 LIMN_CAPTURE_MAJOR);
	if (h.header_size < sizeof(h) || h.header_size > c->size)
		return limn_fail(err, -1, "%.150s: a header of %u bytes in a file of %llu", c->path, h.header_size,
				 (unsigned long long)c->size);
	c->at = c->first = h.header_size;
	return 0;
}

int limn_capture_open(const char *path, struct capture **capture, struct limn_error *err)
{
	struct capture *c = calloc(1, sizeof(*c));

	*capture = c;
	if (!c)
		return limn_fail(err, -1, "out of memory");
	c->path = path;
	c->fd = -1;
	c->chunk = malloc(LIMN_CAPTURE_MAX_CHUNK + 8);
	if (!c->chunk)
		limn_fail(err, -1, "out of memory");
	if (!c->chunk || open_file(c, err) || check_header(c, err)) {
		limn_capture_close(c);
		*capture = NULL;
		return -1;
	}
	return 0;
}

static void free_bo(struct capture *c, struct capture_bo *bo)
{
	if (bo && bo->data) {
		munmap(bo->data, bo->told.size);
		c->bytes -= bo->told.size;
	}
	free(bo);
}

static void free_submit(struct capture_submit *s)
{
	free(s->uses);
	free(s->relocs);
	free(s->syncs);
	free((void *)s->cmd);
	*s = (struct capture_submit){ .uses = NULL };
}

static void forget(struct capture *c)
{
	for (uint32_t i = 0; i < c->num_bos; i++)
		free_bo(c, c->bos[i]);
	for (uint32_t i = 0; i < c->num_files; i++)
		free(c->files[i]);
	free_bo(c, c->gone);
	free_submit(&c->submit);
	c->gone = NULL;
	c->num_bos = c->num_files = c->num_submits = 0;
	c->damage[0] = 0;
	c->closed = false;
}

void limn_capture_rewind(struct capture *c)
{
	forget(c);
	c->at = c->first;
}

void limn_capture_close(struct capture *c)
{
	if (!c)
		return;
	forget(c);
	if (c->fd >= 0)
		close(c->fd);
	free(c->stored);
	free(c->bos);
	free(c->files);
	free(c->chunk);
	free(c->runs);
	free(c);
}

const char *limn_capture_damage(const struct capture *c)
{
	return c->damage[0] ? c->damage : NULL;
}

uint64_t limn_capture_size(const struct capture *c)
{
	return c->size;
}

uint64_t limn_capture_position(const struct capture *c)
{
	return c->at;
}

/* --- Things --------------------------------------------------------------------------------- */

static struct capture_file *find_file(const struct capture *c, uint64_t number)
{
	for (uint32_t i = 0; i < c->num_files; i++)
		if (c->files[i]->told.file == number)
			return c->files[i];
	return NULL;
}

struct capture_bo *limn_capture_bo_of(const struct capture *c, uint64_t number)
{
	for (uint32_t i = c->num_bos; number && i--;)
		if (c->bos[i]->told.bo == number)
			return c->bos[i];
	return NULL;
}

struct capture_bo *limn_capture_bo_at(const struct capture *c, uint32_t index)
{
	return index < c->num_bos ? c->bos[index] : NULL;
}

struct capture_file *limn_capture_file_at(const struct capture *c, uint32_t index)
{
	return index < c->num_files ? c->files[index] : NULL;
}

/* A new element at the end of a list of pointers; NULL: no memory. */
static void *append(void *list, uint32_t *num, size_t size)
{
	void ***to = list;
	void **more = *num % 64 ? *to : realloc(*to, (*num + 64) * sizeof(**to));
	void *new = more ? calloc(1, size) : NULL;

	if (more)
		*to = more;
	if (new)
		more[(*num)++] = new;
	return new;
}

/* --- Chunks --------------------------------------------------------------------------------- */

/* The part of a structure that is there; what an older writer did not know is zero. */
static void take(void *to, size_t size, const uint8_t *from, size_t there)
{
	memset(to, 0, size);
	memcpy(to, from, there < size ? there : size);
}

#define TAKE(to, data, size) take(&(to), sizeof(to), data, size)

static int on_process(struct capture *c, struct capture_event *e, size_t size, struct limn_error *err)
{
	if (size < sizeof(e->told_process))
		return fail(c, err, "a process is cut off");
	TAKE(e->told_process, c->chunk, size);
	e->command = (const char *)c->chunk + sizeof(e->told_process);
	return 0;
}

static int on_file(struct capture *c, struct capture_event *e, size_t size, struct limn_error *err)
{
	struct capture_file *f = size >= offsetof(struct limn_capture_file, params) ?
				 append(&c->files, &c->num_files, sizeof(*f)) : NULL;

	if (!f)
		return fail(c, err, "a file is cut off, or out of memory");
	TAKE(f->told, c->chunk, size);
	f->process = e->process;
	f->told.driver[sizeof(f->told.driver) - 1] = 0;
	f->told.desc[sizeof(f->told.desc) - 1] = 0;
	if (f->told.family > LIMN_CAPTURE_VIVANTE || f->told.num_cores > LIMN_CAPTURE_CORES)
		return fail(c, err, "a file of a family that is not known");
	e->file = f;
	return 0;
}

static int on_bo(struct capture *c, struct capture_event *e, size_t size, struct limn_error *err)
{
	struct capture_bo *bo;
	struct limn_capture_bo told;

	if (size < sizeof(told))
		return fail(c, err, "a BO is cut off");
	TAKE(told, c->chunk, size);
	if (!told.bo || limn_capture_bo_of(c, told.bo))
		return fail(c, err, "a BO with the number of another one");
	if (!find_file(c, told.file))
		return fail(c, err, "a BO of a file that was never opened");
	if (!told.size || told.size > MAX_BO || told.size % PAGE || told.va % PAGE)
		return fail(c, err, "a BO with a size or an address that none can have");
	bo = append(&c->bos, &c->num_bos, sizeof(*bo));
	if (!bo)
		return fail(c, err, "out of memory");
	bo->told = told;
	bo->file = find_file(c, told.file);
	e->bo = bo;
	e->file = bo->file;
	return 0;
}

static int on_bo_free(struct capture *c, struct capture_event *e, size_t size, struct limn_error *err)
{
	struct limn_capture_bo_free told;

	if (size < sizeof(told))
		return fail(c, err, "the end of a BO is cut off");
	TAKE(told, c->chunk, size);
	e->bo = limn_capture_bo_of(c, told.bo);
	if (!e->bo)
		return fail(c, err, "the end of a BO that there is not");
	e->file = e->bo->file;
	for (uint32_t i = 0; i < c->num_bos; i++) {
		if (c->bos[i] != e->bo)
			continue;
		memmove(&c->bos[i], &c->bos[i + 1], (--c->num_bos - i) * sizeof(*c->bos));
		break;
	}
	c->gone = e->bo;
	return 0;
}

static bool allocate(struct capture *c, struct capture_bo *bo)
{
	uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
	void *p;

	if (bo->data)
		return true;
	if (c->bytes + bo->told.size > (half < MAX_ALL ? half : MAX_ALL))
		return false;
	p = mmap(NULL, bo->told.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return false;
	bo->data = p;
	c->bytes += bo->told.size;
	return true;
}

static int on_data(struct capture *c, struct capture_event *e, size_t size, struct limn_error *err)
{
	struct limn_capture_data told;
	uint64_t at = sizeof(told), runs;
	struct limn_capture_run *list;

	if (size < sizeof(told))
		return fail(c, err, "data is cut off");
	TAKE(told, c->chunk, size);
	runs = (uint64_t)told.num_runs * sizeof(*list);
	e->bo = limn_capture_bo_of(c, told.bo);
	if (!e->bo || runs > size - at)
		return fail(c, err, e->bo ? "the runs of data are cut off" : "data of a BO that there is not");
	list = realloc(c->runs, runs + 1);
	if (!list || !allocate(c, e->bo))
		return fail(c, err, "out of memory: more contents of BOs than this program takes");
	c->runs = list;
	memcpy(list, c->chunk + at, runs);
	at += runs;
	for (uint32_t i = 0; i < told.num_runs; i++) {
		if (list[i].size > size - at || list[i].offset > e->bo->told.size ||
		    list[i].size > e->bo->told.size - list[i].offset)
			return fail(c, err, "data beyond the end of its BO, or of the chunk");
		memcpy(e->bo->data + list[i].offset, c->chunk + at, list[i].size);
		at += list[i].size;
	}
	e->file = e->bo->file;
	e->kind = told.kind;
	e->runs = list;
	e->num_runs = told.num_runs;
	return 0;
}

/* A list of a submit: n of each bytes, from *at on; NULL: it is cut off, or no memory. */
static void *take_list(const struct capture *c, size_t size, uint64_t *at, uint64_t n, size_t each)
{
	uint8_t *list;

	if (*at > size || n * each > size - *at)
		return NULL;
	list = calloc(n + 1, each);
	if (list)
		memcpy(list, c->chunk + *at, n * each);
	*at += n * each;
	return list;
}

static bool take_uses(struct capture *c, struct capture_submit *s, size_t size, uint64_t *at)
{
	struct limn_capture_use *told = take_list(c, size, at, s->told.num_bos, sizeof(*told));

	s->uses = told ? calloc(s->told.num_bos + 1ull, sizeof(*s->uses)) : NULL;
	for (uint32_t i = 0; s->uses && i < s->told.num_bos; i++) {
		s->uses[i].told = told[i];
		s->uses[i].bo = limn_capture_bo_of(c, told[i].bo);
		if (s->uses[i].bo && s->uses[i].bo->file != s->file)
			s->uses[i].bo = NULL;
	}
	free(told);
	return s->uses;
}

/* The kernel's answer stands in the next chunk of the process, if it said no. */
static int next_refusal(struct capture *c, uint64_t submit);

static int on_submit(struct capture *c, struct capture_event *e, size_t size, struct limn_error *err)
{
	struct capture_submit *s = &c->submit;
	uint64_t at = sizeof(s->told);

	free_submit(s);
	if (size < at)
		return fail(c, err, "a submit is cut off");
	TAKE(s->told, c->chunk, size);
	s->number = c->num_submits++;
	s->process = e->process;
	s->file = find_file(c, s->told.file);
	if (!s->file)
		return fail(c, err, "a submit to a file that was never opened");
	if (take_uses(c, s, size, &at)) {
		s->relocs = take_list(c, size, &at, s->told.num_relocs, sizeof(*s->relocs));
		s->syncs = s->relocs ? take_list(c, size, &at, s->told.num_syncs, sizeof(*s->syncs)) : NULL;
		at += s->told.num_pmrs * (uint64_t)sizeof(struct limn_capture_pmr);
		s->cmd = s->syncs ? take_list(c, size, &at, s->told.cmd_size, 1) : NULL;
	}
	if (!s->cmd)
		return fail(c, err, "a submit's lists are cut off, or out of memory");
	for (uint32_t i = 0; i < s->told.num_relocs; i++) {
		if (s->relocs[i].use >= s->told.num_bos || s->told.cmd_size < 4 || s->relocs[i].offset > s->told.cmd_size - 4)
			s->relocs[i].use = UINT32_MAX;	/* the kernel refuses it */
	}
	e->file = s->file;
	e->submit = s;
	e->refused = next_refusal(c, s->told.submit);
	return 0;
}

static int on_chunk(struct capture *c, uint32_t type, struct capture_event *e, size_t size, struct limn_error *err)
{
	switch (type) {
	case LIMN_CAPTURE_PROCESS:
		e->type = CAPTURE_EVENT_PROCESS;
		return on_process(c, e, size, err);
	case LIMN_CAPTURE_FILE:
		e->type = CAPTURE_EVENT_FILE;
		return on_file(c, e, size, err);
	case LIMN_CAPTURE_BO:
		e->type = CAPTURE_EVENT_BO;
		return on_bo(c, e, size, err);
	case LIMN_CAPTURE_BO_FREE:
		e->type = CAPTURE_EVENT_BO_FREE;
		return on_bo_free(c, e, size, err);
	case LIMN_CAPTURE_DATA:
		e->type = CAPTURE_EVENT_DATA;
		return on_data(c, e, size, err);
	case LIMN_CAPTURE_SUBMIT:
		e->type = CAPTURE_EVENT_SUBMIT;
		return on_submit(c, e, size, err);
	case LIMN_CAPTURE_END:
		e->type = CAPTURE_EVENT_PROCESS_END;
		TAKE(e->end, c->chunk, size);
		return 0;
	case LIMN_CAPTURE_CLOSED:
		c->closed = true;
		return 0;
	}
	return 0;	/* of a newer version, or told with the chunk before */
}

/* The chunk's header at that byte, and what follows it to c->stored; false: that is not whole, and damage says why. */
static bool read_head(struct capture *c, uint64_t at, struct limn_capture_chunk *head, const char **damage)
{
	uint64_t left = c->size - at;
	uint32_t check;
	uint8_t *more;

	*damage = NULL;
	if (left < sizeof(*head)) {
		*damage = "the file is cut off";
		return false;
	}
	if (!read_at(c, at, head, sizeof(*head)) || head->stored > left - sizeof(*head)) {
		*damage = "the file is cut off, or a size is wrong";
		return false;
	}
	if (head->stored > LIMN_CAPTURE_MAX_CHUNK) {
		*damage = "a size is wrong";
		return false;
	}
	more = head->stored > c->room ? realloc(c->stored, head->stored) : c->stored;
	if (head->stored > c->room && !more) {
		*damage = "out of memory";
		return false;
	}
	c->stored = more;
	c->room = head->stored > c->room ? head->stored : c->room;
	if (!read_at(c, at + sizeof(*head), c->stored, head->stored)) {
		*damage = "it cannot be read";
		return false;
	}
	check = crc32(0, (void *)head, offsetof(struct limn_capture_chunk, check));
	check = head->stored ? (uint32_t)crc32(check, c->stored, head->stored) : check;
	if (check != head->check)
		*damage = "the checksum is wrong";
	else if (head->size > LIMN_CAPTURE_MAX_CHUNK || (!(head->flags & LIMN_CAPTURE_COMPRESSED) && head->size != head->stored))
		*damage = "a size is wrong";
	return !*damage;
}

static int next_refusal(struct capture *c, uint64_t submit)
{
	struct limn_capture_refused told;
	struct limn_capture_chunk head;
	const char *damage;
	int refused = 0;

	/* Other processes may have written before it, and other jobs of the ioctl. */
	for (uint64_t at = c->at, n = 0; n < 256 && at < c->size && read_head(c, at, &head, &damage); n++) {
		at += sizeof(head);
		if (head.type == LIMN_CAPTURE_REFUSED && head.stored >= sizeof(told) && !head.flags) {
			memcpy(&told, c->stored, sizeof(told));
			if (told.submit == submit)
				refused = told.error ? told.error : -EINVAL;
		}
		at += head.stored;
		/* Between several jobs of an ioctl and its answer stand the others, and what they read. */
		if (refused || (head.process == c->submit.process && head.type != LIMN_CAPTURE_REFUSED &&
				(c->submit.told.group_size < 2 ||
				 (head.type != LIMN_CAPTURE_SUBMIT && head.type != LIMN_CAPTURE_DATA))))
			break;
	}
	return refused;
}

/* Content to c->chunk. */
static bool decompress_chunk(struct capture *c, const struct limn_capture_chunk *head, const char **damage)
{
	if (!(head->flags & LIMN_CAPTURE_COMPRESSED) && head->size)
		memcpy(c->chunk, c->stored, head->size);
	else if (head->size && ZSTD_decompress(c->chunk, head->size, c->stored, head->stored) != head->size)
		*damage = "it is no Zstandard frame of the size that it says";
	c->chunk[head->size] = 0;
	return !*damage;
}

int limn_capture_next(struct capture *c, struct capture_event *e, struct limn_error *err)
{
	struct limn_capture_chunk head;
	const char *damage = NULL;
	int ret = 0;

	*e = (struct capture_event){ .type = CAPTURE_EVENT_END };
	free_bo(c, c->gone);
	c->gone = NULL;
	while (!ret && e->type == CAPTURE_EVENT_END && c->at < c->size) {
		if (!read_head(c, c->at, &head, &damage) || !decompress_chunk(c, &head, &damage)) {
			snprintf(c->damage, sizeof(c->damage), "what comes at byte %llu of %llu is lost: %s", (unsigned long long)c->at,
				 (unsigned long long)c->size, damage);
			return 0;
		}
		c->at += sizeof(head) + head.stored;
		e->process = head.process;
		ret = on_chunk(c, head.type, e, head.size, err);
	}
	if (!ret && e->type == CAPTURE_EVENT_END && !c->closed)
		snprintf(c->damage, sizeof(c->damage), "what comes at byte %llu is lost: there is no end mark, the file is cut off or "
			 "limn capture was killed", (unsigned long long)c->at);
	return ret;
}
