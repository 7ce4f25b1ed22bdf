// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <glob.h>

#include "igt.h"
#include "etna_lib.h"
#include "gpu_sys.h"
#include "limn_list.h"

#include <drm/lima_drm.h>
#include <limn/dump.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/regs.h>
#include <limn/vivante/hw_regs.h>

IGT_TEST_DESCRIPTION("devcoredump: what is left of a job that hung or failed");

#define MAX_DUMP	(8u << 20)

static uint8_t *dump;
static size_t size;

/* The path of the dump that waits, or NULL; polls, for it comes from a worker. */
static const char *dump_path(bool wait)
{
	static char path[128];
	bool found = false;
	glob_t g;

	for (int i = 0; i < (wait ? 2000 : 1) && !found; i++) {
		found = !glob("/sys/class/devcoredump/devcd*/data", 0, NULL, &g);
		if (found)
			snprintf(path, sizeof(path), "%s", g.gl_pathv[0]);
		globfree(&g);
		if (!found && wait)
			usleep(1000);
	}
	return found ? path : NULL;
}

static void drop_dump(void)
{
	const char *path;

	while ((path = dump_path(false)))
		sys_write(path, "1");
}

static void read_dump(void)
{
	const char *path = dump_path(true);
	ssize_t n;
	int fd;

	igt_assert_f(path, "no dump\n");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	igt_assert_fd(fd);
	for (size = 0; (n = read(fd, dump + size, MAX_DUMP - size)) > 0; size += n)
		;
	igt_assert_eq(n, 0);
	close(fd);
	drop_dump();
}

/* The n-th section of a type, NULL behind the last; the whole dump has to be well-formed. */
static const struct limn_dump_section *section(uint32_t type, unsigned int n)
{
	const struct limn_dump_section *s, *found = NULL;
	size_t at = sizeof(struct limn_dump_header);

	for (;;) {
		igt_assert(at + sizeof(*s) <= size);
		s = (const void *)(dump + at);
		igt_assert_eq_u32(s->header_size, sizeof(*s));
		igt_assert(memchr(s->name, 0, sizeof(s->name)));
		at += sizeof(*s) + ((s->size + 7) & ~7ull);
		igt_assert(at <= size);
		if (s->type == type && !n--)
			found = s;
		if (s->type == LIMN_DUMP_END)
			break;
	}
	igt_assert_eq_u64(at, size);
	return found;
}

static void check_header(const struct gpu_client *c)
{
	const struct limn_dump_header *h = (const void *)dump;

	igt_assert(size >= sizeof(*h));
	igt_assert_eq_u32(h->magic, LIMN_DUMP_MAGIC);
	igt_assert_eq(h->major, LIMN_DUMP_MAJOR);
	igt_assert_eq_u32(h->header_size, sizeof(*h));
	igt_assert_eq_u32(h->family, c->family->dump_family);
}

/* The line "key: value" of an INFO section. */
static bool info_has(const char *key, const char *value)
{
	const struct limn_dump_section *s;
	char want[128], text[1024];

	snprintf(want, sizeof(want), "%s: %s\n", key, value);
	for (unsigned int n = 0; (s = section(LIMN_DUMP_INFO, n)); n++) {
		igt_assert(s->size < sizeof(text));
		memcpy(text, s + 1, s->size);
		text[s->size] = '\0';
		if (strstr(text, want))
			return true;
	}
	return false;
}

static const struct limn_dump_section *unit(const char *name)
{
	const struct limn_dump_section *s;

	for (unsigned int n = 0; (s = section(LIMN_DUMP_REGS, n)); n++) {
		if (!strcmp(s->name, name))
			return s;
	}
	return NULL;
}

static bool has_unit(const char *name)
{
	const struct limn_dump_section *s = unit(name);

	return s && s->size && s->size % sizeof(struct limn_dump_reg) == 0;
}

/* A register of a unit; the subtest fails when the dump does not have it. */
static uint32_t unit_reg(const char *name, uint32_t offset)
{
	const struct limn_dump_section *s = unit(name);
	const struct limn_dump_reg *reg = (const void *)(s + 1);

	igt_assert(s);
	for (size_t i = 0; i < s->size / sizeof(*reg); i++) {
		if (reg[i].offset == offset)
			return reg[i].value;
	}
	igt_assert_f(false, "no register %x of %s\n", offset, name);
	return 0;
}

static const struct limn_dump_section *bo_at(uint64_t va)
{
	const struct limn_dump_section *s;

	for (unsigned int n = 0; (s = section(LIMN_DUMP_BO, n)); n++) {
		if (s->va == va)
			return s;
	}
	return NULL;
}

static const struct bad {
	const char *name;
	int side;
	struct limn_job (*make)(struct gpu_client *c, int side);
	int error;
} bads[] = {
	{ "unmapped", 0, limn_unmapped, -EFAULT },
	{ "unmapped-side-1", 1, limn_unmapped, -EFAULT },
	{ "invalid", 0, limn_invalid, -EIO },
	{ "invalid-side-1", 1, limn_invalid, -EIO },
	{ "endless", 0, limn_endless, -ETIMEDOUT },
	{ "endless-side-1", 1, limn_endless, -ETIMEDOUT },
};

/* What only Utgard's dumps have: frames, and BOs with the lists that they lead to. */
static void check_utgard(struct gpu_client *c, const struct limn_job *job, int side)
{
	const struct limn_dump_section *s;

	igt_assert(info_has("queue", side ? "pp" : "gp"));
	igt_assert(has_unit(side ? "pp0" : "gp"));
	igt_assert(has_unit(side ? "ppmmu0" : "gpmmu"));
	s = section(LIMN_DUMP_JOB, 0);
	igt_assert(s && s->size == job->size && !memcmp(s + 1, job->words, s->size));
	s = bo_at(c->lists.va);
	igt_assert(s && s->size == c->lists.size && !memcmp(s + 1, c->lists.map, s->size));
	if (c->m450)
		igt_assert_eq_u32(unit_reg("bcast", BCAST_INTERRUPT_MASK), (1u << c->num_pp) - 1);
}

/* What only Vivante's have: the ring, and the stream, which is in no BO. */
static void check_vivante(struct gpu_client *c, const struct limn_job *job)
{
	const struct limn_dump_section *s;

	igt_assert(has_unit("hi"));
	igt_assert(has_unit("fe"));
	igt_assert(!section(LIMN_DUMP_JOB, 0));	/* what a job is beside its stream is the kernel's */
	igt_assert(has_unit(limn_can_fault(c) ? "mmu" : "mc"));
	s = section(LIMN_DUMP_STREAM, 0);
	igt_assert(s && !strcmp(s->name, "ring") && s->size == 4096);
	s = section(LIMN_DUMP_STREAM, 1);
	igt_assert(s && !strcmp(s->name, "stream") && s->size >= job->size);
	igt_assert(!memcmp(s + 1, job->words, job->size));
}

static void each_core(void)
{
	igt_describe("Each core has its own stack, and its own tile list");
	igt_subtest("each-core") {
		struct gpu_client c = limn_client_new();
		struct drm_lima_m400_pp_frame *m400;
		struct drm_lima_m450_pp_frame *m450;
		uint32_t *stacks, *lists;
		struct limn_job job;

		igt_require(limn_is_utgard(&c));
		job = limn_endless(&c, 1);
		m400 = (void *)job.words;
		m450 = (void *)job.words;
		stacks = c.m450 ? m450->fragment_stack_address : m400->fragment_stack_address;
		lists = c.m450 ? m450->plbu_array_address : m400->plbu_array_address;
		for (uint32_t i = 0; i < c.num_pp; i++)
			stacks[i] = c.target.va + i * 0x100;
		drop_dump();
		igt_assert_eq(limn_run(c.fd, &job), -ETIMEDOUT);
		read_dump();
		for (uint32_t i = 0; i < c.num_pp; i++) {
			char name[16];

			snprintf(name, sizeof(name), "pp%u", i);
			igt_assert_eq_u32(unit_reg(name, PP_STACK), stacks[i]);
			igt_assert_eq_u32(unit_reg(name, PP_FRAME), lists[i]);
		}
		limn_client_free(&c);
	}
}

/* Core 0 has nothing to do and is reset at once; the others fault behind some tiles. */
static struct limn_job fault_behind(struct gpu_client *c, const struct gpu_bo *bo)
{
	const uint32_t tiles = 16, block = 2048;
	struct limn_job job = limn_clear(c, 0);
	uint32_t *lists = c->m450 ? ((struct drm_lima_m450_pp_frame *)job.words)->plbu_array_address :
				    ((struct drm_lima_m400_pp_frame *)job.words)->plbu_array_address;
	uint32_t *w = bo->map;

	for (uint32_t i = 0; i <= tiles; i++) {
		*w++ = 0;
		*w++ = PPS_BEGIN_TILE;
		*w++ = PPS_CALL_WORD(i < tiles ? bo->va + block : GPU_HOLE);
		*w++ = PPS_CALL;
	}
	*w++ = 0;
	*w++ = PPS_END;
	bo->map[block / 4] = PLB_RETURN_LO;
	bo->map[block / 4 + 1] = PLB_RETURN_HI;
	for (uint32_t i = 0; i < c->num_pp; i++)
		lists[i] = i ? bo->va : bo->va + (tiles + 1) * 16;
	limn_job_use(&job, bo, LIMN_READ);
	return job;
}

/* With the testbed: --strict --model-fault slow-reset:pp0, which sees what is read too early. */
static void core_in_reset(void)
{
	igt_describe("A core that is done, and in reset, is not asked for its registers");
	igt_subtest("core-in-reset") {
		struct gpu_client c = limn_client_new();
		struct gpu_bo bo;
		struct limn_job job;

		igt_require(limn_is_utgard(&c) && c.num_pp > 1);
		bo = limn_bo_new(c.fd, 4096, 0, 0);
		job = fault_behind(&c, &bo);
		drop_dump();
		igt_assert_eq(limn_run(c.fd, &job), -EFAULT);
		read_dump();
		igt_assert(has_unit("pp1"));
		gpu_bo_free(&bo);
		limn_check_works(&c);
		limn_client_free(&c);
	}
}

/* What Linux' etnaviv_gpu.c leaves in them, on cores whose bus register starts with 0. */
static void power_registers(void)
{
	static const struct { uint32_t model, revision, modules, pulse_eater, bus; } cores[] = {
		{ 0x320, 0x5007, 0x38000, 0x01590880, 0 },
		{ 0x600, 0x0019, 0x38010, 0x01590880, 0 },
		{ 0x880, 0x5106, 0x38010, 0x01590880, 0 },
		{ 0x2000, 0x5108, 0x38090, 0x01590880, 1 },
		{ 0x3000, 0x5450, 0x30000, 0x015f0881, 0 },
	};

	igt_describe("Registers of clocks and bus are as the core's errata want them");
	igt_subtest("power-registers") {
		struct gpu_client c = limn_client_new();
		struct limn_job job;
		uint32_t model, revision;
		bool known = false;

		igt_require(!limn_is_utgard(&c));
		model = etna_param(c.fd, 0, ETNAVIV_PARAM_GPU_MODEL);
		revision = etna_param(c.fd, 0, ETNAVIV_PARAM_GPU_REVISION);
		job = limn_endless(&c, 0);
		drop_dump();
		igt_assert_eq(limn_run(c.fd, &job), -ETIMEDOUT);
		read_dump();
		for (unsigned int i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
			if (cores[i].model != model || cores[i].revision != revision)
				continue;
			known = true;
			igt_assert_eq_u32(unit_reg("hi", VIVS_HI_AXI_CONFIG), 0x2200);
			igt_assert_eq_u32(unit_reg("pm", VIVS_PM_MODULE_CONTROLS), cores[i].modules);
			igt_assert_eq_u32(unit_reg("pm", VIVS_PM_PULSE_EATER), cores[i].pulse_eater);
			if (has_unit("mc"))
				igt_assert_eq_u32(unit_reg("mc", VIVS_MC_BUS_CONFIG), cores[i].bus);
		}
		limn_client_free(&c);
		igt_require_f(known, "no row for GC%x r%x\n", model, revision);
	}
}

/* MMUv1 has one table, of which a dump has the pages with entries. */
static void parts_of_the_table(void)
{
	igt_describe("Parts of MMUv1's table are where the registers say that the table is");
	igt_subtest("parts-of-the-table") {
		struct gpu_client c = limn_client_new();
		uint64_t start = limn_param(c.fd, DRM_LIMN_PARAM_VA_START) & ~0xfffffull;
		struct drm_limn_bo_create far = { .size = 4096, .flags = DRM_LIMN_BO_FIXED_VA, .va = start + (64 << 20) };
		const struct limn_dump_section *s;
		struct limn_job job;
		bool found = false;

		igt_require(!limn_can_fault(&c));
		igt_assert_eq(limn_try_bo(c.fd, &far), 0);
		job = limn_endless(&c, 0);
		drop_dump();
		igt_assert_eq(limn_run(c.fd, &job), -ETIMEDOUT);
		read_dump();
		for (unsigned int n = 0; (s = section(LIMN_DUMP_PAGE_TABLE, n)); n++) {
			igt_assert_eq_u64(s->arg, unit_reg("mc", VIVS_MC_MMU_FE_PAGE_TABLE) + (s->va - start) / 4096 * 4);
			found |= s->va <= far.va && far.va < s->va + (4 << 20);
		}
		igt_assert(found);
		gem_close(c.fd, far.handle);
		limn_client_free(&c);
	}
}

/* A job with counters turns clock gating off while they count. */
static void clock_gating(void)
{
	igt_describe("After a job with counters, idle modules lose their clocks again");
	igt_subtest("clock-gating") {
		struct gpu_client c = limn_client_new();
		struct gpu_bo bo;
		struct limn_job bad;
		struct etna_job job;

		igt_require(!limn_is_utgard(&c));
		bo = limn_bo_new(c.fd, 4096, 0, 0);
		etna_job_new(c.fd, &job);
		etna_job_use(&job, &(struct etna_bo){ .handle = bo.handle }, ETNA_SUBMIT_BO_WRITE);
		job.num_pmrs = 1;
		job.pmrs[0] = (struct drm_etnaviv_gem_submit_pmr) { .flags = ETNA_PM_PROCESS_POST, .read_offset = 1,
								    .sequence = 7 };
		igt_assert_eq(etna_run(c.fd, &job), 0);
		igt_assert_eq_u32(bo.map[0], 7);
		bad = limn_endless(&c, 0);
		drop_dump();
		igt_assert_eq(limn_run(c.fd, &bad), -ETIMEDOUT);
		read_dump();
		igt_assert(unit_reg("pm", VIVS_PM_POWER_CONTROLS) & VIVS_PM_POWER_CONTROLS_ENABLE_MODULE_CLOCK_GATING);
		gpu_bo_free(&bo);
		limn_client_free(&c);
	}
}

static void every_failure(void)
{
	for (unsigned int i = 0; i < sizeof(bads) / sizeof(bads[0]); i++) {
		const struct bad *b = &bads[i];

		igt_describe("A dump with reason, process, registers, page tables, commands and BOs; it can be dropped");
		igt_subtest_f("%s", b->name) {
			struct gpu_client c = limn_client_new();
			struct drm_limn_bo_label label = { .handle = c.target.handle, .len = 9,
							   .label = (uintptr_t)"my target" };
			const struct limn_dump_section *s;
			struct limn_job job;
			char number[16];

			igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMN_BO_LABEL, &label), 0);
			drop_dump();
			job = b->make(&c, b->side);
			igt_assert_eq(limn_run(c.fd, &job), b->error);
			read_dump();
			check_header(&c);
			snprintf(number, sizeof(number), "%d", b->error);
			igt_assert(info_has("error", number));
			snprintf(number, sizeof(number), "%d", getpid());
			igt_assert(info_has("pid", number));
			s = section(LIMN_DUMP_PAGE_TABLE, 0);
			igt_assert(s && s->size == 4096);
			if (limn_can_fault(&c)) {
				igt_assert(s->flags & LIMN_DUMP_DIRECTORY);
				s = section(LIMN_DUMP_PAGE_TABLE, 1);
				igt_assert(s && s->size == 4096 && !(s->flags & LIMN_DUMP_DIRECTORY));
			}
			s = bo_at(c.target.va);
			igt_assert(s && s->size == c.target.size && !strcmp(s->name, "my target"));
			igt_assert(!memcmp(s + 1, c.target.map, s->size));
			if (limn_is_utgard(&c))
				check_utgard(&c, &job, b->side);
			else
				check_vivante(&c, &job);
			limn_check_works(&c);
			limn_client_free(&c);
		}
	}
}

static void kernel_log(void)
{
	igt_describe("A hang and a fault leave a line in the kernel's log: cause, address, process");
	igt_subtest("logged") {
		struct gpu_client c = limn_client_new();
		struct limn_job job = limn_endless(&c, 0);
		char me[32];

		snprintf(me, sizeof(me), "limn_dump[%d]", getpid());
		igt_assert_eq(limn_run(c.fd, &job), -ETIMEDOUT);
		igt_assert(sys_logged("hang", "address", me));
		read_dump();	/* which comes later than the job's end, also where nothing faults */
		job = limn_unmapped(&c, 0);
		igt_assert_eq(limn_run(c.fd, &job), -EFAULT);
		igt_assert(sys_logged("MMU fault", "address 0x", me));
		limn_client_free(&c);
	}
}

/* Pages that the kernel gives out next have what a process left in them. */
static void fill_free_memory(void)
{
	igt_fork(child, 1) {
		size_t n = (size_t)mem_kib("MemFree") / 8 * 7 << 10;
		void *much = malloc(n);

		igt_assert(much);
		memset(much, 0x5e, n);
		__asm__ volatile("" : : "r"(much) : "memory");
	}
	igt_waitchildren();
}

static bool is_zero(const void *data, size_t n)
{
	const uint8_t *byte = data;

	return !n || (!byte[0] && !memcmp(byte, byte + 1, n - 1));
}

static void others(void)
{
	igt_describe("A job that ends well leaves none");
	igt_subtest("none") {
		drop_dump();
		limn_check_gpu();
		igt_assert(!dump_path(false));
	}

	igt_describe("The first one is kept until it was read; those that come meanwhile are dropped");
	igt_subtest("first-is-kept") {
		struct gpu_client c = limn_client_new();
		struct limn_job job = limn_failing(&c, 0);
		struct gpu_bo one = limn_bo_new(c.fd, 4096, 0, 0), two = limn_bo_new(c.fd, 4096, 0, 0);

		drop_dump();
		limn_job_use(&job, &one, LIMN_READ);
		igt_assert_eq(limn_run(c.fd, &job), limn_fail_error(&c));
		igt_assert(dump_path(true));
		job = limn_endless(&c, 1);
		limn_job_use(&job, &two, LIMN_READ);
		igt_assert_eq(limn_run(c.fd, &job), -ETIMEDOUT);
		limn_check_works(&c);
		read_dump();
		check_header(&c);
		igt_assert(bo_at(one.va) && !bo_at(two.va));
		gpu_bo_free(&one);
		gpu_bo_free(&two);
		limn_client_free(&c);
	}

	igt_describe("Jobs of both sides that hang at once leave one dump, which is whole");
	igt_subtest("two-at-once") {
		struct gpu_client c[2] = { limn_client_new(), limn_client_new() };
		uint32_t fence[2];

		drop_dump();
		for (int i = 0; i < 2; i++) {
			struct limn_job job = limn_endless(&c[i], i);

			fence[i] = limn_submit_fence(c[i].fd, &job);
		}
		for (int i = 0; i < 2; i++)
			igt_assert_eq(gpu_fence_end(c[i].fd, fence[i], 0), -ETIMEDOUT);
		read_dump();
		check_header(&c[0]);
		igt_assert(section(LIMN_DUMP_INFO, 0) && section(LIMN_DUMP_END, 0));
		for (int i = 0; i < 2; i++)
			limn_client_free(&c[i]);
	}

	igt_describe("dump_mib bounds a dump, which is cut off then; 0 turns dumps off");
	igt_subtest("limit") {
		struct gpu_client c = limn_client_new();
		struct gpu_bo big = limn_bo_new(c.fd, 2 << 20, 0, 0);
		struct limn_job job = limn_failing(&c, 0);

		limn_job_use(&job, &big, LIMN_READ);
		drop_dump();
		igt_assert_eq(sys_write("/sys/module/limn/parameters/dump_mib", "1"), 0);
		igt_assert_eq(limn_run(c.fd, &job), limn_fail_error(&c));
		read_dump();
		check_header(&c);
		igt_assert_eq_u64(size, 1 << 20);
		igt_assert_eq(sys_write("/sys/module/limn/parameters/dump_mib", "0"), 0);
		igt_assert_eq(limn_run(c.fd, &job), limn_fail_error(&c));
		limn_check_works(&c);
		igt_assert(!dump_path(false));
		/* 16 TiB: more pages than 32 bits count. */
		igt_assert_eq(sys_write("/sys/module/limn/parameters/dump_mib", "16777216"), 0);
		igt_assert_eq(limn_run(c.fd, &job), limn_fail_error(&c));
		read_dump();
		igt_assert(bo_at(big.va)->size == big.size);
		igt_assert_eq(sys_write("/sys/module/limn/parameters/dump_mib", "64"), 0);
		gpu_bo_free(&big);
		limn_client_free(&c);
	}

	igt_describe("BOs of every kind: a heap as far as it has memory, which is nobody's, a process's own memory");
	igt_subtest("bo-kinds") {
		struct gpu_client c = limn_client_new();
		struct gpu_bo heap = { .fd = c.fd };
		struct gpu_bo cached = limn_bo_new(c.fd, 8192, DRM_LIMN_BO_CACHED, 0);
		uint32_t *own = aligned_alloc(4096, 8192);
		struct drm_limn_bo_userptr req = { .addr = (uintptr_t)own, .size = 8192 };
		struct gpu_bo user = { .fd = c.fd, .size = 8192 };
		const struct limn_dump_section *s;
		struct limn_job job;

		fill_free_memory();
		memset(own, 0x5a, 8192);
		memset(cached.map, 0xa5, 8192);
		igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMN_BO_USERPTR, &req), 0);
		user.handle = req.handle;
		job = limn_failing(&c, 0);
		if (limn_is_utgard(&c)) {
			heap = limn_bo_new(c.fd, 16 << 20, DRM_LIMN_BO_HEAP, 0);
			limn_job_use(&job, &heap, LIMN_WRITE);
		}
		limn_job_use(&job, &user, LIMN_READ);
		limn_job_use(&job, &cached, LIMN_READ);
		drop_dump();
		igt_assert_eq(limn_run(c.fd, &job), limn_fail_error(&c));
		read_dump();
		if (heap.handle) {
			s = bo_at(heap.va);
			igt_assert(s && s->flags & LIMN_DUMP_HEAP && s->arg == heap.size &&
				   s->size < heap.size);
			igt_assert(is_zero(s + 1, s->size));
		}
		s = bo_at(req.va);
		igt_assert(s && s->size == 8192 && !memcmp(s + 1, own, 8192));
		s = bo_at(cached.va);
		igt_assert(s && s->size == 8192 && !memcmp(s + 1, cached.map, 8192));
		gem_close(c.fd, user.handle);
		free(own);
		gpu_bo_free(&heap);
		gpu_bo_free(&cached);
		limn_client_free(&c);
	}

	igt_describe("Fifty failures with nobody who reads: memory does not grow, jobs go on");
	igt_subtest("many") {
		struct gpu_client c = limn_client_new();
		long before = 0, after;

		drop_dump();
		for (int i = 0; i < 50; i++) {
			struct limn_job job = limn_failing(&c, i % 2);

			/* Soon over, where it has to time out. */
			job.ctx = limn_ctx_new(c.fd, 0, limn_can_fault(&c) ? 0 : 20);
			igt_assert_eq(limn_run(c.fd, &job), limn_fail_error(&c));
			limn_ctx_free(c.fd, job.ctx);
			if (i == 9)
				before = mem_kib("MemAvailable");
		}
		limn_check_works(&c);
		usleep(100000);
		after = mem_kib("MemAvailable");
		igt_assert_f(after > before - 40 * 157 / 2, "%ld KiB before, %ld after\n", before, after);
		drop_dump();
		limn_client_free(&c);
	}
}

igt_main
{
	igt_fixture {
		int fd = limn_open();

		limn_require(fd, DRM_LIMN_FEATURE_LABEL);
		close(fd);
		dump = malloc(MAX_DUMP);
		igt_assert(dump);
	}
	/* First: the log is limited. */
	kernel_log();
	every_failure();
	each_core();
	core_in_reset();
	clock_gating();
	power_registers();
	parts_of_the_table();
	others();
	igt_fixture {
		drop_dump();
		limn_check_gpu();
		free(dump);
	}
}
