// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <linux/futex.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <limn/witness.h>

#include "etna_lib.h"
#include "gpu_sys.h"
#include "igt.h"
#include "lima_jobs.h"
#include "limn_gpu.h"
#include "run.h"

#define MEMORY_PAGES	64u
#define MAX_MAPPED	7	/* the kernel's DMA checker warns of a page that is mapped more often */
#define WITNESS_BOS	4u
#define WITNESS_BYTES	16384u
#define ARENA_BYTES	(1u << 20)

struct process {
	const struct fuzz_shared *shared;
	int file[FUZZ_FILES];
	struct gpu_client client[FUZZ_FILES];
	uint32_t slot[FUZZ_FILES][SLOT_KINDS][FUZZ_SLOTS];
	struct { void *at; size_t size; } map[FUZZ_FILES][FUZZ_SLOTS];
	uint8_t *memory;			/* for userptr */
	unsigned int mapped;			/* calls that were given a part of it */
	struct { uint32_t handle, *map; } witness_bo[WITNESS_BOS];
	uint8_t arena[ARENA_BYTES];		/* what the call now points to */
	size_t used;
};

static const char *abi_of(const struct process *p)
{
	return p->shared->abi == FAMILY_LIMA ? "lima" : "etnaviv";
}

/* --- Jobs ----------------------------------------------------------------- */

struct gpu_client fuzz_client_new(enum fuzz_family abi, bool extensions, int fd)
{
	struct etna_bo bo;

	if (extensions)
		return limn_client_on(fd);
	if (abi == FAMILY_LIMA)
		return lima_client_on(fd);
	bo = etna_bo_new(fd, 1 << 16);
	return (struct gpu_client) { .fd = fd, .target = { fd, bo.handle, bo.size, 0, bo.map } };
}

static void *arena(struct process *p, size_t size)
{
	void *at = p->arena + p->used;

	size = (size + 7) & ~(size_t)7;
	if (p->used + size > ARENA_BYTES)
		return NULL;
	p->used += size;
	memset(at, 0, size);
	return at;
}

static void flip(struct fuzz_random *r, uint32_t *words, uint32_t bytes)
{
	for (unsigned int n = 1 + fuzz_below(r, 3); n && bytes >= 4; n--)
		words[fuzz_below(r, bytes / 4)] ^= fuzz_below(r, 2) ? 1u << fuzz_below(r, 32) : fuzz_below(r, ~0u);
}

static void *some_bytes(struct process *p, struct fuzz_random *r, uint32_t *bytes)
{
	uint32_t *words;

	*bytes = 8 * (1 + fuzz_below(r, 64));
	words = arena(p, *bytes);
	for (uint32_t i = 0; words && i < *bytes / 4; i++)
		words[i] = fuzz_below(r, 2) ? fuzz_below(r, ~0u) : 0x08010000 | fuzz_below(r, 0x10000);
	return words;
}

static void lima_content(struct process *p, struct gpu_client *c, uint64_t content,
			 struct drm_lima_gem_submit *submit)
{
	struct fuzz_random r = { content };
	uint32_t seed = content >> 3, bytes;
	struct lima_job job, *kept;

	switch (content & 7) {
	case CONTENT_RUBBISH:
		submit->frame = (uintptr_t)some_bytes(p, &r, &bytes);
		return;
	case CONTENT_CLEAR:
		job = lima_pp_clear(c, seed);
		break;
	case CONTENT_LONG:
		job = lima_gp_long(c, seed % 64, seed);
		break;
	case CONTENT_UNMAPPED:
		job = seed & 1 ? lima_gp_unmapped(c) : lima_pp_unmapped(c);
		break;
	case CONTENT_INVALID:
		job = seed & 1 ? lima_gp_invalid(c) : lima_pp_invalid(c);
		break;
	case CONTENT_ENDLESS:
		job = seed & 1 ? lima_gp_endless(c) : lima_pp_endless(c);
		break;
	default:
		job = seed & 1 ? lima_gp_store(c, seed % 64, seed) : lima_pp_clear(c, seed);
	}
	if ((content & 7) == CONTENT_FLIPPED)
		flip(&r, (uint32_t *)&job.frame, job.frame_size);
	kept = arena(p, sizeof(job));
	*kept = job;
	submit->pipe = job.pipe;
	submit->frame = (uintptr_t)&kept->frame;
	if (submit->frame_size == 0)
		submit->frame_size = job.frame_size;
}

static void etna_content(struct process *p, struct gpu_client *c, uint64_t content,
			 struct drm_etnaviv_gem_submit *submit)
{
	struct etna_bo bo = { c->fd, c->target.handle, c->target.size, c->target.map };
	struct fuzz_random r = { content };
	struct etna_job *job;
	uint32_t bytes;

	if ((content & 7) == CONTENT_RUBBISH || !c->target.handle) {
		submit->stream = (uintptr_t)some_bytes(p, &r, &bytes);
		if (submit->stream_size == 0)
			submit->stream_size = bytes;
		return;
	}
	job = arena(p, sizeof(*job));
	etna_job_good(c->fd, job, &bo, content);
	if ((content & 7) == CONTENT_ENDLESS)
		etna_job_hang(job);
	if ((content & 7) == CONTENT_FLIPPED)
		flip(&r, job->words, job->num_words * 4);
	submit->exec_state = job->exec_state;
	submit->stream = (uintptr_t)job->words;
	submit->relocs = (uintptr_t)job->relocs;
	submit->nr_relocs = job->num_relocs;
	submit->bos = (uintptr_t)job->bos;
	submit->nr_bos = job->num_bos;
	if (submit->stream_size == 0)
		submit->stream_size = job->num_words * 4;
}

static void limn_content(struct process *p, struct gpu_client *c, uint64_t content, struct drm_limn_job *entry)
{
	struct fuzz_random r = { content };
	uint32_t seed = content >> 3, bytes;
	struct limn_job *job;

	if ((content & 7) == CONTENT_RUBBISH) {
		entry->cmd = (uintptr_t)some_bytes(p, &r, &bytes);
		if (entry->cmd_size == 0)
			entry->cmd_size = bytes;
		return;
	}
	job = arena(p, sizeof(*job));
	switch (content & 7) {
	case CONTENT_CLEAR:
		*job = limn_clear(c, seed);
		break;
	case CONTENT_LONG:
		*job = limn_long(c, seed % 64, seed);
		break;
	case CONTENT_ENDLESS:
		*job = limn_endless(c, seed & 1);
		break;
	default:
		*job = limn_store(c, seed % 64, seed);
	}
	if ((content & 7) == CONTENT_FLIPPED)
		flip(&r, job->words, job->size);
	entry->queue = job->queue;
	entry->exec_state = job->exec_state;
	entry->cmd = (uintptr_t)job->words;
	if (entry->cmd_size == 0)
		entry->cmd_size = job->size;
}

/* --- Values --------------------------------------------------------------- */

static bool of_file(enum fuzz_slot kind)
{
	return kind < SLOT_NAME;
}

static uint32_t *slot(struct process *p, unsigned int file, enum fuzz_slot kind, uint64_t value)
{
	return &p->slot[of_file(kind) ? file : 0][kind][value - FUZZ_SLOT(0)];
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void *put_record(struct process *p, unsigned int file, const struct fuzz_record *rec, uint8_t *at);

static uint64_t put_array(struct process *p, unsigned int file, const struct fuzz_record *first)
{
	size_t size = first ? first->type->size : 0, n = 0;
	uint8_t *list;

	for (const struct fuzz_record *e = first; e; e = e->next)
		n++;
	/* Not at the arena's end: what an ioctl writes beyond the entries is its fault to show. */
	list = arena(p, n * size + 64);
	if (!list)
		return 0;
	for (const struct fuzz_record *e = first; e; e = e->next, list += size)
		put_record(p, file, e, list);
	return (uintptr_t)(list - n * size);
}

static uint64_t entries_of(const struct fuzz_record *rec, const char *count)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < rec->type->num_fields; i++) {
		if (rec->type->fields[i].kind != KIND_ARRAY || strcmp(rec->type->fields[i].count, count))
			continue;
		for (const struct fuzz_record *e = rec->entries[i]; e; e = e->next)
			n++;
		return n;
	}
	return 0;
}

static uint64_t value_of(struct process *p, unsigned int file, const struct fuzz_record *rec, unsigned int i)
{
	static const char text[] = "A label that is as long as labels may be, with one more character.";
	const struct fuzz_field *f = &rec->type->fields[i];
	uint64_t v = rec->value[i];

	switch (f->kind) {
	case KIND_SLOT:
	case KIND_OPTION:
		if (FUZZ_IS_SLOT(v))
			return *slot(p, file, f->argument, v);
		return v == FUZZ_STAR ? 0 : v;
	case KIND_NEW:
		return 0;
	case KIND_SYNC:
		if (FUZZ_IS_SLOT(v))
			return *slot(p, file, rec->value[0] & f->argument ? SLOT_SYNC_FILE : SLOT_SYNCOBJ, v);
		return v;
	case KIND_MEMORY:
		if (FUZZ_IS_SLOT(v) && p->mapped++ >= MAX_MAPPED)
			return 0;
		return FUZZ_IS_SLOT(v) ? (uintptr_t)p->memory + (v - FUZZ_SLOT(0)) * PAGE_BYTES : v;
	case KIND_COUNT:
		return v == FUZZ_STAR ? entries_of(rec, f->name) : v;
	case KIND_STRIDE:
		return v == FUZZ_STAR ? f->argument : v;
	case KIND_ARRAY:
		return v == FUZZ_STAR ? put_array(p, file, rec->entries[i]) : v;
	case KIND_TEXT:
		return v == FUZZ_STAR ? (uintptr_t)text : v;
	case KIND_TIME:
		return v < 1000 ? now_ns() + v * 1000000 : v;
	case KIND_TIME_SEC:
		return v < 1000 ? now_ns() / 1000000000 + v : v;
	case KIND_CONTENT:	/* put_contents() */
		return 0;
	default:
		return v == FUZZ_STAR || FUZZ_IS_SLOT(v) ? 0 : v;
	}
}

static void put_content(struct process *p, unsigned int file, const struct fuzz_record *rec, void *at)
{
	struct gpu_client *c = &p->client[file];

	for (unsigned int i = 0; i < rec->type->num_fields; i++) {
		uint64_t content = rec->value[i];

		if (rec->type->fields[i].kind != KIND_CONTENT)
			continue;
		/* A file without a client of its own sends rubbish. */
		if (!c->ctx && !c->target.handle)
			content &= ~7ull;
		if (!strcmp(rec->type->name, "drm_limn_job"))
			limn_content(p, c, content, at);
		else if (p->shared->abi == FAMILY_LIMA)
			lima_content(p, c, content, at);
		else
			etna_content(p, c, content, at);
	}
}

static void *put_record(struct process *p, unsigned int file, const struct fuzz_record *rec, uint8_t *at)
{
	for (unsigned int i = 0; i < rec->type->num_fields; i++) {
		const struct fuzz_field *f = &rec->type->fields[i];
		uint64_t v = value_of(p, file, rec, i);

		memcpy(at + f->offset, &v, f->size < sizeof(v) ? f->size : sizeof(v));
	}
	put_content(p, file, rec, at);
	return at;
}

static void keep_results(struct process *p, unsigned int file, const struct fuzz_record *rec, const uint8_t *at)
{
	for (unsigned int i = 0; i < rec->type->num_fields; i++) {
		const struct fuzz_field *f = &rec->type->fields[i];

		if (f->kind == KIND_NEW && FUZZ_IS_SLOT(rec->value[i]))
			memcpy(slot(p, file, f->argument, rec->value[i]), at + f->offset, 4);
	}
}

/* --- Verbs ---------------------------------------------------------------- */

static uint64_t mmap_offset(const struct process *p, int fd, uint32_t handle, uint64_t *size)
{
	struct drm_etnaviv_gem_info etna = { .handle = handle };
	struct drm_lima_gem_info lima = { .handle = handle };
	struct drm_limn_bo_info limn = { .handle = handle };

	*size = PAGE_BYTES;
	if (p->shared->extensions && !ioctl(fd, DRM_IOCTL_LIMN_BO_INFO, &limn)) {
		*size = limn.size;
		return limn.offset;
	}
	if (p->shared->abi == FAMILY_LIMA)
		return ioctl(fd, DRM_IOCTL_LIMA_GEM_INFO, &lima) ? 0 : lima.offset;
	return ioctl(fd, DRM_IOCTL_ETNAVIV_GEM_INFO, &etna) ? 0 : etna.offset;
}

static int verb_unmap(struct process *p, unsigned int file, uint32_t index)
{
	if (!p->map[file][index].at)
		return -1;
	munmap(p->map[file][index].at, p->map[file][index].size);
	p->map[file][index].at = NULL;
	return 0;
}

static int verb_map(struct process *p, unsigned int file, uint32_t index, uint32_t write)
{
	volatile uint8_t *at;
	uint64_t size, offset;

	verb_unmap(p, file, index);
	offset = mmap_offset(p, p->file[file], p->slot[file][SLOT_BO][index], &size);
	at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, p->file[file], offset);
	if (at == MAP_FAILED)
		return -1;
	p->map[file][index].at = (void *)at;
	p->map[file][index].size = size;
	if (write)
		at[0] = at[size - 1] = 1;
	return 0 * (at[0] + at[size - 1]);
}

static int verb_fill(struct process *p, unsigned int file, uint32_t index, uint32_t seed)
{
	struct fuzz_random r = { seed };
	uint32_t *words = p->map[file][index].at;

	for (size_t i = 0; words && i < p->map[file][index].size / 4 && i < 4096; i++)
		words[i] = fuzz_below(&r, ~0u);
	return words ? 0 : -1;
}

static int verb_open(struct process *p, unsigned int file)
{
	int fd;

	if (file >= FUZZ_FILE_SHARED)
		return -1;
	fd = gpu_try_open(abi_of(p));
	if (fd < 0)
		return -1;
	close(p->file[file]);
	p->file[file] = fd;
	memset(p->slot[file], 0, sizeof(p->slot[file]));
	memset(&p->client[file], 0, sizeof(p->client[file]));
	return 0;
}

static int verb_fork_exit(const struct process *p, uint32_t n)
{
	pid_t parent = getpid(), child = fork();

	if (!child) {
		struct drm_gem_close req = { .handle = p->slot[0][SLOT_BO][n % FUZZ_SLOTS] };

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)	/* it was killed before that */
			_exit(0);
		ioctl(p->file[0], DRM_IOCTL_GEM_CLOSE, &req);
		if (n & 1)
			pause();
		_exit(0);
	}
	if (child < 0)
		return -1;
	if (n & 1)
		kill(child, SIGKILL);
	return waitpid(child, NULL, 0) == child ? 0 : -1;
}

static int verb_munmap_memory(struct process *p, uint32_t n)
{
	uint8_t *at = p->memory + n % MEMORY_PAGES * PAGE_BYTES;

	return mmap(at, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
	       MAP_FAILED;
}

static int read_all(const char *path)
{
	char buf[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC), n = 0;

	while (fd >= 0 && n < 256 && read(fd, buf, sizeof(buf)) > 0)
		n++;
	close(fd);
	return fd < 0 ? -1 : 0;
}

static int verb_read_debugfs(uint32_t n)
{
	static const char *const files[] = { "gem", "jobs", "clients", "mm", "state", "name" };
	char path[64];

	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/%s", n & 1 ? 128 : 0, files[n / 2 % 6]);
	return read_all(path);
}

static int verb_read_dump(uint32_t n)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/devcoredump/devcd%u/data", n);
	return read_all(path);
}

uint32_t fuzz_witness_word(uint32_t word)
{
	static const uint32_t begin[] = LIMN_WITNESS;
	uint32_t at = word % (PAGE_BYTES / 4);

	return at < 4 ? begin[at] : word * 0x85ebca6bu;
}

/* The witness has no file yet, or an unbind has ended it: another file, and BO. */
static bool witness_again(struct process *p, struct drm_limn_bo_create *req)
{
	int fd = gpu_try_open(abi_of(p));

	if (fd < 0)
		return false;
	dup2(fd, FUZZ_FD_WITNESS);
	close(fd);
	for (unsigned int i = 0; i < WITNESS_BOS; i++) {
		if (p->witness_bo[i].map)
			munmap(p->witness_bo[i].map, WITNESS_BYTES);
	}
	memset(p->witness_bo, 0, sizeof(p->witness_bo));
	return !ioctl(FUZZ_FD_WITNESS, DRM_IOCTL_LIMN_BO_CREATE, req);
}

/* Memory that others have just given back, as like as not. */
static int verb_witness(struct process *p, uint32_t n)
{
	struct drm_limn_bo_create req = { .size = WITNESS_BYTES };
	uint32_t **map = &p->witness_bo[n].map, *at;
	uint64_t offset, size;

	for (uint32_t w = 0; *map && w < WITNESS_BYTES / 4; w++) {
		if ((*map)[w] != fuzz_witness_word(w))
			__atomic_fetch_add(p->shared->written, 1, __ATOMIC_RELAXED);
	}
	if (*map) {
		struct drm_gem_close close = { .handle = p->witness_bo[n].handle };

		munmap(*map, WITNESS_BYTES);
		*map = NULL;
		ioctl(FUZZ_FD_WITNESS, DRM_IOCTL_GEM_CLOSE, &close);
	}
	if (!p->shared->isolated || (ioctl(FUZZ_FD_WITNESS, DRM_IOCTL_LIMN_BO_CREATE, &req) && !witness_again(p, &req)))
		return -1;
	p->witness_bo[n].handle = req.handle;
	offset = mmap_offset(p, FUZZ_FD_WITNESS, req.handle, &size);
	at = mmap(NULL, WITNESS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, FUZZ_FD_WITNESS, offset);
	if (at == MAP_FAILED)
		return -1;
	for (uint32_t w = 0; w < WITNESS_BYTES / 4; w++)
		at[w] = fuzz_witness_word(w);
	*map = at;
	return 0;
}

static int write_number(const char *path, uint64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	return sys_write(path, text);
}

static int verb_cgroup(uint32_t n)
{
	int ret = write_number(FUZZ_CGROUP "/cgroup.procs", getpid());

	if (ret)
		return ret;
	if (n >= 14)
		return sys_write(FUZZ_CGROUP "/memory.max", "max");
	return write_number(FUZZ_CGROUP "/memory.max", (uint64_t)PAGE_BYTES << n);
}

static int verb_unbind(uint32_t n)
{
	if (n)
		return -1;
	gpu_unbind();
	return gpu_bind();
}

static int close_slot(uint32_t *slot)
{
	uint32_t fd = *slot;

	*slot = 0;
	return fd ? close(fd) : -1;
}

static int run_verb(struct process *p, const struct fuzz_call *call)
{
	const char *name = call->callee->name;
	uint32_t n = call->record->value[0], m = call->record->value[1], index = n % FUZZ_SLOTS;
	char path[64];

	if (!strcmp(name, "map"))
		return verb_map(p, call->file, index, m);
	if (!strcmp(name, "unmap"))
		return verb_unmap(p, call->file, index);
	if (!strcmp(name, "fill"))
		return verb_fill(p, call->file, index, m);
	if (!strcmp(name, "open"))
		return verb_open(p, call->file);
	if (!strcmp(name, "dup"))
		return dup2(p->file[n % FUZZ_FILE_OTHER], p->file[call->file]);
	if (!strcmp(name, "close_sync_file"))
		return close_slot(&p->slot[0][SLOT_SYNC_FILE][index]);
	if (!strcmp(name, "close_dmabuf"))
		return close_slot(&p->slot[0][SLOT_DMABUF][index]);
	if (!strcmp(name, "sleep"))
		return usleep(n % 16 * 500);
	if (!strcmp(name, "fork_exit"))
		return verb_fork_exit(p, n);
	if (!strcmp(name, "kill"))
		return n ? -1 : kill(getpid(), SIGKILL);
	if (!strcmp(name, "drop_caches"))
		return sys_write("/proc/sys/vm/drop_caches", n & 1 ? "2" : "3");
	if (!strcmp(name, "cgroup"))
		return verb_cgroup(n % 16);
	if (!strcmp(name, "reclaim"))
		return write_number(FUZZ_CGROUP "/memory.reclaim", (uint64_t)PAGE_BYTES << n % 16);
	if (!strcmp(name, "witness"))
		return verb_witness(p, n % WITNESS_BOS);
	if (!strcmp(name, "unbind"))
		return verb_unbind(n);
	if (!strcmp(name, "suspend"))
		return n || access("/sys/power/pm_test", F_OK) ? -1 : gpu_suspend("mem");
	if (!strcmp(name, "read_debugfs"))
		return verb_read_debugfs(n);
	if (!strcmp(name, "read_dump"))
		return verb_read_dump(n);
	if (!strcmp(name, "munmap_memory"))
		return verb_munmap_memory(p, n);
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", p->file[call->file]);
	return read_all(path);
}

/* --- A process ------------------------------------------------------------ */

static void set_fail(const struct process *p, unsigned int n)
{
	char text[16];

	if (p->shared->can_fail)
		(void)!pwrite(FUZZ_FD_FAIL_NTH, text, snprintf(text, sizeof(text), "%u", n), 0);
}

static int run_call(struct process *p, const struct fuzz_call *call)
{
	uint8_t *argument;
	int ret;

	if (!call->callee->request)
		return run_verb(p, call);
	p->used = 0;
	argument = arena(p, call->record->type->size);
	put_record(p, call->file, call->record, argument);
	if (call->fail)
		set_fail(p, call->fail);
	ret = ioctl(p->file[call->file], call->callee->request, argument);
	if (call->fail)
		set_fail(p, 0);
	if (!ret)
		keep_results(p, call->file, call->record, argument);
	return ret;
}

static void use_client(struct process *p, unsigned int file, const struct gpu_client *c)
{
	struct drm_syncobj_create syncobj = { .flags = DRM_SYNCOBJ_CREATE_SIGNALED };
	struct drm_etnaviv_gem_new bo = { .size = 1 << 16, .flags = ETNA_BO_WC };
	struct drm_limn_perf_counter counter = { 0 };
	struct drm_limn_perfmon_create perfmon = {
		.counters = { .ptr = (uintptr_t)&counter, .count = 1, .stride = sizeof(counter) },
	};

	p->client[file] = *c;
	p->file[file] = c->fd;
	p->slot[file][SLOT_BO][0] = c->lists.handle;
	if (!c->lists.handle && !ioctl(c->fd, DRM_IOCTL_ETNAVIV_GEM_NEW, &bo))
		p->slot[file][SLOT_BO][0] = bo.handle;
	p->slot[file][SLOT_BO][1] = c->target.handle;
	for (unsigned int i = 0; i < 2; i++)
		p->slot[file][SLOT_CTX][i] = c->ctx;
	if (!ioctl(c->fd, DRM_IOCTL_SYNCOBJ_CREATE, &syncobj))
		p->slot[file][SLOT_SYNCOBJ][0] = syncobj.handle;
	if (p->shared->extensions && !ioctl(c->fd, DRM_IOCTL_LIMN_PERFMON_CREATE, &perfmon))
		p->slot[file][SLOT_PERFMON][0] = perfmon.id;
}

/* Names are for those that were the device's master once. */
static int open_authenticated(int render)
{
	int fd = gpu_open_primary(render);

	for (int tries = 0; ioctl(fd, DRM_IOCTL_SET_MASTER, 0) && tries < 100; tries++)
		usleep(100);
	ioctl(fd, DRM_IOCTL_DROP_MASTER, 0);
	return fd;
}

/* Main's client on the file that all share, in this process. */
static struct gpu_client client_of_all(struct process *p)
{
	struct gpu_client c = p->shared->client;
	struct gpu_bo *const bos[] = { &c.lists, &c.target };
	uint64_t size, offset;

	for (unsigned int i = 0; i < 2; i++) {
		bos[i]->fd = c.fd;
		if (!bos[i]->map)
			continue;
		offset = mmap_offset(p, c.fd, bos[i]->handle, &size);
		bos[i]->map = mmap(NULL, bos[i]->size, PROT_READ | PROT_WRITE, MAP_SHARED, c.fd, offset);
		if (bos[i]->map == MAP_FAILED)
			exit(1);
	}
	return c;
}

static bool uses_primary(const struct fuzz_program *program, unsigned int process)
{
	for (unsigned int i = 0; i < program->num_calls; i++) {
		const struct fuzz_call *c = &program->calls[i];

		if (c->process == process && (c->file == FUZZ_FILE_PRIMARY || !strcmp(c->callee->name, "dup")))
			return true;
	}
	return false;
}

unsigned int fuzz_ready(const struct fuzz_shared *shared)
{
	unsigned int ready = __atomic_add_fetch(shared->ready, 1, __ATOMIC_SEQ_CST);

	if (ready >= FUZZ_PROCESSES)
		syscall(SYS_futex, shared->ready, FUTEX_WAKE, FUZZ_PROCESSES, NULL, NULL, 0);
	return ready;
}

static void wait_for_others(const struct fuzz_shared *shared)
{
	unsigned int ready = fuzz_ready(shared);

	for (; ready < FUZZ_PROCESSES; ready = __atomic_load_n(shared->ready, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, shared->ready, FUTEX_WAIT, ready, NULL, NULL, 0);
}

static void run_calls(struct process *p, const struct fuzz_program *program, unsigned int process)
{
	for (unsigned int i = 0; i < program->num_calls; i++) {
		const struct fuzz_call *call = &program->calls[i];
		struct fuzz_counts *counts = &p->shared->counts[fuzz_callee_index(call->callee)];
		uint64_t begin;
		int ret;

		if (call->process != process)
			continue;
		errno = 0;
		begin = now_ns();
		ret = run_call(p, call);
		__atomic_fetch_add(&counts->ns, now_ns() - begin, __ATOMIC_RELAXED);
		if (p->shared->verbose)
			printf("p%u f%u %s: %d %s\n", process, call->file, call->callee->name, ret, ret ? strerror(errno) : "");
		__atomic_fetch_add(&counts->calls, 1, __ATOMIC_RELAXED);
		if (ret >= 0)
			__atomic_fetch_add(&counts->done, 1, __ATOMIC_RELAXED);
	}
}

static void unmap(void *at, size_t size)
{
	if (at)
		munmap(at, size);
}

/* Only the witness stays: memory that nobody else may have for as long as the process lives. */
static void end_program(struct process *p, const struct gpu_client clients[2])
{
	for (unsigned int file = 0; file < FUZZ_FILES; file++) {
		for (unsigned int i = 0; i < FUZZ_SLOTS; i++)
			verb_unmap(p, file, i);
	}
	for (unsigned int i = 0; i < 2; i++) {
		unmap(clients[i].lists.map, clients[i].lists.size);
		unmap(clients[i].target.map, clients[i].target.size);
	}
	unmap(p->memory, MEMORY_PAGES * PAGE_BYTES);
	close_range(3, FUZZ_FD_SOCKET - 1, 0);
	memset(p->slot, 0, sizeof(p->slot));
	memset(p->client, 0, sizeof(p->client));
	p->mapped = 0;
}

void fuzz_run(const struct fuzz_shared *shared, const struct fuzz_program *program, unsigned int process)
{
	static struct process p;
	struct gpu_client clients[2];
	int fd;

	p.shared = shared;
	if (shared->can_fail && fcntl(FUZZ_FD_FAIL_NTH, F_GETFD) < 0) {
		fd = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
		dup2(fd, FUZZ_FD_FAIL_NTH);
		close(fd);
	}
	clients[0] = fuzz_client_new(shared->abi, shared->extensions, gpu_try_open(abi_of(&p)));
	clients[1] = client_of_all(&p);
	use_client(&p, 0, &clients[0]);
	p.file[FUZZ_FILE_PRIMARY] = uses_primary(program, process) ? open_authenticated(p.file[0]) : -1;
	use_client(&p, FUZZ_FILE_SHARED, &clients[1]);
	p.file[FUZZ_FILE_OTHER] = shared->other;
	memcpy(p.slot[FUZZ_FILE_OTHER][SLOT_BO], shared->other_bo, sizeof(shared->other_bo));
	p.memory = mmap(NULL, MEMORY_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* All begin at once, when all have their clients: an unbind ends those of all. */
	wait_for_others(shared);
	run_calls(&p, program, process);
	if (!shared->last)
		end_program(&p, clients);
}
