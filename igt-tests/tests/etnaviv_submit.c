// SPDX-License-Identifier: MIT
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <limn/vivante/cmdstream.h>

#include "etna_lib.h"
#include "igt.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("GEM_SUBMIT of the etnaviv ABI: what it refuses, that nothing of it happens then, and what it runs");

#define MARK	0xdeadu
#define VALUE	0x12345678u
#define MAX_FULL	64	/* streams of 128 KiB */

static int fd = -1;
static struct etna_bo target;
static struct etna_job job;

static int try_args(struct drm_etnaviv_gem_submit *req)
{
	int ret;

	target.map[0] = MARK;
	ret = gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, req);
	igt_assert_eq(etna_try_prep(fd, target.handle, ETNA_PREP_WRITE, 30000), 0);
	if (ret)
		igt_assert_eq_u32(target.map[0], MARK);
	return ret;
}

#define REFUSED(error, ...)								\
	do {										\
		struct drm_etnaviv_gem_submit req = etna_job_args(&job);		\
		__VA_ARGS__;								\
		igt_assert_eq(try_args(&req), error);					\
	} while (0)

static void refuse_arguments(void)
{
	int other = etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_0) & chipFeatures_PIPE_2D ?
		    ETNA_PIPE_VG : ETNA_PIPE_2D;

	etna_job_good(fd, &job, &target, VALUE);
	REFUSED(-EINVAL, req.pipe = ETNA_MAX_PIPES);
	REFUSED(-ENXIO, req.pipe = ETNA_MAX_PIPES - 1);
	REFUSED(-EINVAL, req.exec_state = 3);
	if (etna_is_limn())
		REFUSED(-EINVAL, req.exec_state = other);
	REFUSED(-EINVAL, req.flags = 0x10);
	REFUSED(-EINVAL, req.stream_size -= 2);
	REFUSED(-EINVAL, req.stream_size = 128 * 1024 + 4);
	REFUSED(-EINVAL, req.nr_relocs = 128 * 1024 + 1);
	REFUSED(-EINVAL, req.nr_bos = 128 * 1024 + 1);
	REFUSED(-EINVAL, req.nr_pmrs = 129);
	REFUSED(-EFAULT, req.stream = 0);
	if (job.num_relocs) {
		REFUSED(-EFAULT, req.bos = 0);
		REFUSED(-EFAULT, req.relocs = 0);
	}
	REFUSED(-EFAULT, (req.nr_pmrs = 1, req.pmrs = 0));
	REFUSED(-EINVAL, (req.flags = ETNA_SUBMIT_FENCE_FD_IN, req.fence_fd = -1));
	REFUSED(-EINVAL, (req.flags = ETNA_SUBMIT_FENCE_FD_IN, req.fence_fd = fd));
}

static void refuse_bos(void)
{
	etna_job_good(fd, &job, &target, VALUE);
	etna_job_use(&job, &target, ETNA_SUBMIT_BO_READ);
	REFUSED(job.num_bos > 1 ? -EALREADY : 0, (void)req);
	etna_job_good(fd, &job, &target, VALUE);
	etna_job_use(&job, &target, 0x4);
	REFUSED(-EINVAL, (void)req);
	etna_job_good(fd, &job, &target, VALUE);
	etna_job_use(&job, &(struct etna_bo){ .handle = 0xbad }, ETNA_SUBMIT_BO_READ);
	REFUSED(-EINVAL, (void)req);
}

static void refuse_relocs(void)
{
	struct drm_etnaviv_gem_submit_reloc *r = job.relocs;

	etna_job_good(fd, &job, &target, VALUE);
	r[0].flags = 1;
	REFUSED(-EINVAL, (void)req);
	etna_job_good(fd, &job, &target, VALUE);
	r[0].submit_offset += 2;
	REFUSED(-EINVAL, (void)req);
	/* The last one, behind which none is out of order. */
	etna_job_good(fd, &job, &target, VALUE);
	r[job.num_relocs - 1].submit_offset = job.num_words * 4;
	REFUSED(-EINVAL, (void)req);
	etna_job_good(fd, &job, &target, VALUE);
	r[1].submit_offset = r[0].submit_offset - 4;
	REFUSED(-EINVAL, (void)req);
	etna_job_good(fd, &job, &target, VALUE);
	r[0].reloc_idx = job.num_bos;
	REFUSED(-EINVAL, (void)req);
	etna_job_good(fd, &job, &target, VALUE);
	r[0].reloc_offset = target.size - 3;
	REFUSED(-EINVAL, (void)req);
	etna_job_good(fd, &job, &target, VALUE);
	r[0].reloc_offset = ~0ull;
	REFUSED(-EINVAL, (void)req);
}

static void two_relocs_on_a_word(void)
{
	etna_job_good(fd, &job, &target, VALUE);
	job.relocs[1].submit_offset = job.relocs[0].submit_offset;
	REFUSED(-EINVAL, (void)req);
}

/* Each stream is a good one with one bad command behind it. */
static int try_command(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	struct drm_etnaviv_gem_submit req;

	etna_job_good(fd, &job, &target, VALUE);
	etna_put(&job, a, b);
	etna_put(&job, c, d);
	req = etna_job_args(&job);
	return try_args(&req);
}

#define NOP	VIV_FE_COMMAND(NOP), 0

static uint32_t load(uint32_t state, uint32_t count)
{
	return VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, count) |
	       VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, state / 4);
}

static void refuse_commands(void)
{
	igt_assert_eq(try_command(NOP, NOP), 0);
	igt_assert_eq(try_command(VIV_FE_COMMAND(LINK) | 2, 0x1000, NOP), -EINVAL);
	igt_assert_eq(try_command(VIV_FE_COMMAND(CALL) | 2, 0x1000, 2, 0x1000), -EINVAL);
	igt_assert_eq(try_command(VIV_FE_COMMAND(RETURN), 0, NOP), -EINVAL);
	igt_assert_eq(try_command(VIV_FE_COMMAND(END), 0, NOP), -EINVAL);
	igt_assert_eq(try_command(VIV_FE_COMMAND(WAIT) | 200, 0, NOP), -EINVAL);
	igt_assert_eq(try_command(VIV_FE_COMMAND(CHIP_SELECT) | 2, 0, NOP), -EINVAL);
	igt_assert_eq(try_command(0, 0, NOP), -EINVAL);
	igt_assert_eq(try_command(NOP, 31u << 27, 0), -EINVAL);
}

/* Commands that this chip, or the pipe that the job selects, does not know: FE would hang at them. */
static void refuse_commands_of_others(void)
{
	const uint32_t words[][4] = {
		{ VIV_FE_COMMAND(DRAW_2D) | 1 << 8, 0, 0, 0x00080008 },
		{ VIV_FE_COMMAND(DRAW_PRIMITIVES), PRIMITIVE_TYPE_POINTS, 0, 1 },
		{ VIV_FE_COMMAND(DRAW_INSTANCED) | PRIMITIVE_TYPE_POINTS << 16 | 1, 1, 0, 0 },
		{ VIV_FE_COMMAND(DRAW_INDIRECT) | PRIMITIVE_TYPE_POINTS, 0, NOP },
	};
	bool pipe_2d, known[4] = { 0 };

	igt_require(etna_is_limn());
	etna_job_new(fd, &job);
	pipe_2d = job.exec_state == ETNA_PIPE_2D;
	known[0] = pipe_2d;
	known[1] = !pipe_2d;
	known[2] = !pipe_2d && etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_2) & chipMinorFeatures1_HALTI0;
	known[3] = !pipe_2d && etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_6) & chipMinorFeatures5_HALTI5;
	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (known[i])
			continue;
		igt_assert_eq(try_command(words[i][0], words[i][1], words[i][2], words[i][3]), -EINVAL);
	}
}

static void refuse_states(void)
{
	static const uint32_t states[] = {
		VIVS_MMUv2_CONFIGURATION, VIVS_MMUv2_SAFE_ADDRESS, VIVS_MMUv2_PTA_CONFIG,
		VIVS_MC_MMU_FE_PAGE_TABLE, VIVS_MC_MEMORY_BASE_ADDR_RA, VIVS_HI_CLOCK_CONTROL,
		VIVS_PM_POWER_CONTROLS, VIVS_GL_EVENT, VIVS_GL_PIPE_SELECT,
		/* Remapping, a pointer, what nobody knows: limn's checker has them for the kernel. */
		VIVS_GL_OCB_REMAP_START, VIVS_GL_OCB_REMAP_END, VIVS_GL_CONTEXT_POINTER,
		VIVS_CO_ADDR_UNK03200_PPIPE, VIVS_SH_UNK20000, VIVS_GS_UNK01114,
	};

	for (unsigned int i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		uint32_t header = load(states[i], 1);

		igt_assert_eq(try_command(header, 0x1000, NOP), -EINVAL);
		/* Converted, or behind others. */
		igt_assert_eq(try_command(header | VIV_FE_LOAD_STATE_HEADER_FIXP, 0x1000, NOP), -EINVAL);
		if (states[i] >= 8)
			igt_assert_eq(try_command(load(states[i] - 8, 3), 0, 0, 0x1000), -EINVAL);
	}
}

static void refuse_lengths(void)
{
	igt_assert_eq(try_command(NOP, load(VIVS_RS_CONFIG, 3), 0), -EINVAL);
	igt_assert_eq(try_command(NOP, load(VIVS_RS_CONFIG, 0), 0), -EINVAL);
	igt_assert_eq(try_command(NOP, VIV_FE_COMMAND(DRAW_PRIMITIVES), 4), -EINVAL);
	igt_assert_eq(try_command(NOP, VIV_FE_COMMAND(DRAW_2D) | 2 << 8, 0), -EINVAL);
	/* Half a 64-bit word at the end. */
	etna_job_good(fd, &job, &target, VALUE);
	REFUSED(-EINVAL, req.stream_size -= 4);
}

/* A word that a relocation makes a command: what runs is what is checked. */
static void relocated_command(void)
{
	int ret;

	etna_job_good(fd, &job, &target, VALUE);
	igt_require(job.num_relocs);
	job.relocs[job.num_relocs++] = (struct drm_etnaviv_gem_submit_reloc) {
		.submit_offset = job.num_words * 4,
	};
	etna_put(&job, NOP);
	ret = etna_try_submit(fd, &job);
	/* Addresses are at least 4 MiB: below opcode 1, or with an upper bit. */
	igt_assert_eq(ret, -EINVAL);
}

/* An address that reads as the load of a state which is not for clients: GL.PIPE_SELECT. */
static void relocated_state(void)
{
	uint32_t header = load(VIVS_GL_PIPE_SELECT, 1);
	struct etna_bo bo = etna_bo_new(fd, 4096);

	igt_require(etna_has_softpin(fd));
	/* The BO lies there from now on. */
	etna_job_new(fd, &job);
	job.flags = ETNA_SUBMIT_SOFTPIN;
	etna_put(&job, NOP);
	etna_job_use(&job, &bo, ETNA_SUBMIT_BO_READ);
	job.bos[0].presumed = header & ~4095u;
	igt_assert_eq(etna_run(fd, &job), 0);

	etna_job_good(fd, &job, &target, VALUE);
	job.relocs[job.num_relocs++] = (struct drm_etnaviv_gem_submit_reloc) {
		.submit_offset = job.num_words * 4,
		.reloc_idx = etna_job_use(&job, &bo, ETNA_SUBMIT_BO_READ),
		.reloc_offset = header & 4095,
	};
	etna_put(&job, NOP);
	REFUSED(-EINVAL, (void)req);
	/* A harmless state at that address shows that the relocation gets there. */
	header = load(VIVS_GL_VERTEX_ELEMENT_CONFIG, 1);
	igt_assert_eq_u32(header & ~4095u, load(VIVS_GL_PIPE_SELECT, 1) & ~4095u);
	job.relocs[job.num_relocs - 1].reloc_offset = header & 4095;
	REFUSED(0, (void)req);
	etna_bo_free(&bo);
}

/* MMUv1 reaches all of memory: addresses come from relocations alone. */
static void raw_address(void)
{
	etna_job_new(fd, &job);
	igt_require(!etna_has_softpin(fd) && etna_can_fill(fd));
	etna_set(&job, VIVS_PE_COLOR_ADDR, 0x1000);
	REFUSED(-EINVAL, (void)req);
	etna_job_new(fd, &job);
	etna_job_fill(fd, &job, &target, VALUE);
	job.words[job.relocs[0].submit_offset / 4 - 1] |= VIV_FE_LOAD_STATE_HEADER_FIXP;
	REFUSED(-EINVAL, (void)req);
}

/* The same before, between and behind relocations. */
static void raw_address_among(void)
{
	unsigned int i = 0, num;

	igt_require(!etna_has_softpin(fd) && etna_can_fill(fd));
	do {
		etna_job_new(fd, &job);
		etna_job_fill(fd, &job, &target, VALUE);
		etna_job_fill(fd, &job, &target, VALUE);
		num = job.num_relocs;
		igt_assert(num >= 2);
		job.words[job.relocs[i].submit_offset / 4] = 0x1000;
		memmove(&job.relocs[i], &job.relocs[i + 1], (num - i - 1) * sizeof(job.relocs[0]));
		job.num_relocs--;
		REFUSED(-EINVAL, (void)req);
	} while (++i < num);
}

static void refuse_softpin(void)
{
	etna_job_new(fd, &job);
	job.flags = ETNA_SUBMIT_SOFTPIN;
	etna_put(&job, NOP);
	etna_job_use(&job, &target, ETNA_SUBMIT_BO_WRITE);
	if (!etna_has_softpin(fd)) {
		/* One that is free: behind what few BOs of a test take of MMUv1's 2 GiB. */
		job.bos[0].presumed = 0xc0000000;
		REFUSED(-EINVAL, (void)req);
		return;
	}
	job.bos[0].presumed = 0x1000;
	REFUSED(-EINVAL, (void)req);
	job.bos[0].presumed = 0x10000800;
	REFUSED(-EINVAL, (void)req);
	job.bos[0].presumed = 1ull << 32;
	REFUSED(-ENOSPC, (void)req);
	job.bos[0].presumed = 0x10000000;
	job.relocs[0] = (struct drm_etnaviv_gem_submit_reloc) { 0 };
	REFUSED(-EINVAL, req.nr_relocs = 1);
	REFUSED(0, (void)req);
}

/* Two BOs of a job cannot share addresses; one that no job uses makes room. */
static void softpin_overlap(void)
{
	struct etna_bo other = etna_bo_new(fd, 8192);

	igt_require(etna_has_softpin(fd));
	etna_job_new(fd, &job);
	job.flags = ETNA_SUBMIT_SOFTPIN;
	etna_put(&job, NOP);
	etna_job_use(&job, &target, ETNA_SUBMIT_BO_WRITE);
	etna_job_use(&job, &other, ETNA_SUBMIT_BO_READ);
	job.bos[0].presumed = 0x20001000;
	job.bos[1].presumed = 0x20000000;
	REFUSED(-ENOSPC, (void)req);
	job.bos[1].presumed = 0x20001000;
	REFUSED(-ENOSPC, (void)req);
	job.bos[1].presumed = 0x20001000 + target.size;
	igt_assert_eq(etna_run(fd, &job), 0);
	/* The other way round, one after the other. */
	job.num_bos = 1;
	job.bos[0].presumed = 0x20001000 + target.size;
	igt_assert_eq(etna_run(fd, &job), 0);
	etna_bo_free(&other);
}

/* A BO that no job uses any more may be asked for elsewhere; then the client goes, and another one has the GPU. */
static void softpin_moves(void)
{
	int own = etna_open();
	struct etna_bo bo = etna_bo_new(own, 4096);

	igt_require(etna_has_softpin(own));
	etna_job_new(own, &job);
	job.flags = ETNA_SUBMIT_SOFTPIN;
	etna_put(&job, NOP);
	etna_job_use(&job, &bo, ETNA_SUBMIT_BO_WRITE);
	for (uint32_t i = 0; i < 5; i++) {
		int ret = -ENOSPC;

		job.bos[0].presumed = 0x20000000 + i * 0x10000;
		/* Mainline's driver gives up addresses a while after the job's end. */
		for (int n = 0; n < 500 && ret; n++, usleep(10000))
			ret = etna_try_submit(own, &job);
		igt_assert_eq(ret, 0);
		igt_assert_eq(etna_try_prep(own, bo.handle, ETNA_PREP_WRITE, 30000), 0);
	}
	etna_bo_free(&bo);
	close(own);
	etna_job_good(fd, &job, &target, VALUE);
	igt_assert_eq(etna_run(fd, &job), 0);
}

/*
 * More addresses than there are go to BOs of the same 64 MiB, one job after the other, while a job waits whose
 * BO was placed before them all.
 */
static void space_full(void)
{
	static struct etna_job waiting;
	uint32_t nop[] = { NOP };
	struct drm_limn_job job_arg = { .cmd = (uintptr_t)nop, .cmd_size = sizeof(nop) };
	struct drm_limn_submit_bo bo_arg = { .read = 1 };
	struct drm_limn_submit submit = { .jobs = DRM_LIMN_ARRAY(&job_arg, 1), .bos = DRM_LIMN_ARRAY(&bo_arg, 1) };
	struct gpu_gate gate = gpu_gate_new(-1);
	struct etna_bo bo;
	int own = etna_open(), file;
	uint32_t size = 64 << 20;
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	igt_require(etna_is_limn() && etna_can_fill(own));
	igt_require_f(access("/sys/kernel/debug/dma-api", F_OK), "the DMA API's debugging knows 7 mappings of a page\n");
	igt_assert(pages != MAP_FAILED);
	bo = etna_bo_new(own, 4096);
	etna_job_good(own, &waiting, &bo, VALUE);
	waiting.flags = ETNA_SUBMIT_FENCE_FD_IN;
	waiting.fence_fd = gate.file;
	file = etna_start(own, &waiting);
	submit.ctx = limn_ctx_new(own, 0, 0);	/* a queue beside that job's */
	job_arg.exec_state = waiting.exec_state;
	for (int i = 0; i < 66; i++) {
		struct drm_etnaviv_gem_userptr req = {
			.user_ptr = (uintptr_t)pages, .user_size = size, .flags = ETNA_USERPTR_READ | ETNA_USERPTR_WRITE,
		};

		igt_assert_eq(gpu_try(own, DRM_IOCTL_ETNAVIV_GEM_USERPTR, &req), 0);
		bo_arg.handle = req.handle;
		igt_assert_eq(gpu_try(own, DRM_IOCTL_LIMN_SUBMIT, &submit), 0);
		igt_assert_eq(etna_try_prep(own, req.handle, ETNA_PREP_WRITE, 30000), 0);
	}
	gpu_gate_open(&gate);
	igt_assert_eq(etna_end(file), 0);
	igt_assert_eq_u32(bo.map[0], VALUE);
	gpu_gate_free(-1, &gate);
	etna_bo_free(&bo);
	munmap(pages, size);
	close(own);
}

static void perfmon(void)
{
	struct drm_etnaviv_gem_submit_pmr *pmr = job.pmrs;
	struct etna_bo bo = etna_bo_new(fd, 4096);

	etna_job_good(fd, &job, &target, VALUE);
	igt_require(job.exec_state == ETNA_PIPE_3D);
	*pmr = (struct drm_etnaviv_gem_submit_pmr) {
		.flags = ETNA_PM_PROCESS_POST,
		.domain = 0,
		.signal = 2,		/* HI: TOTAL_CYCLES */
		.sequence = 77,
		.read_offset = 3,
		.read_idx = etna_job_use(&job, &bo, ETNA_SUBMIT_BO_WRITE),
	};
	pmr[2] = pmr[0];
	pmr[2].signal = 1;		/* HI: TOTAL_WRITE_BYTES8, of all pixel pipes */
	pmr[2].read_offset = 5;
	for (int i = 0; i < 4; i += 2) {
		pmr[i + 1] = pmr[i];
		pmr[i + 1].flags = ETNA_PM_PROCESS_PRE;
		pmr[i + 1].read_offset--;
	}
	job.num_pmrs = 4;
	igt_assert_eq(etna_run(fd, &job), 0);
	igt_assert_eq_u32(bo.map[0], 77);
	igt_assert_neq_u32(bo.map[3], bo.map[2]);
	if (etna_can_fill(fd)) {
		igt_assert_eq_u32(target.map[511], VALUE);
		igt_assert_lte(512 * 4 / 8, bo.map[5] - bo.map[4]);
	}
	etna_bo_free(&bo);
}

/* Each chip has its own register for cycles in which it does nothing. */
static void idle_cycles(void)
{
	struct etna_bo bo = etna_bo_new(fd, 4096);

	for (uint32_t i = 1; i <= 2; i++) {
		etna_job_new(fd, &job);
		igt_require(job.exec_state == ETNA_PIPE_3D);
		etna_job_use(&job, &bo, ETNA_SUBMIT_BO_WRITE);
		job.pmrs[0] = (struct drm_etnaviv_gem_submit_pmr) {
			.flags = ETNA_PM_PROCESS_POST, .signal = 3, .sequence = i, .read_offset = i,
		};
		job.num_pmrs = 1;
		igt_assert_eq(etna_run(fd, &job), 0);
		/* Mainline's driver reads it a while after the fence. */
		for (int n = 0; n < 1000 && *(volatile uint32_t *)bo.map != i; n++)
			usleep(1000);
		igt_assert_eq_u32(bo.map[0], i);
		etna_job_good(fd, &job, &target, VALUE);
		igt_assert_eq(etna_run(fd, &job), 0);
		usleep(20000);
	}
	igt_assert_lt(0, (int32_t)(bo.map[2] - bo.map[1]));
	etna_bo_free(&bo);
}

static void refuse_perfmon(void)
{
	struct drm_etnaviv_gem_submit_pmr *pmr = job.pmrs;
	struct drm_etnaviv_gem_submit_pmr good = {
		.flags = ETNA_PM_PROCESS_POST,
		.read_offset = 1,
	};
	struct etna_bo bo = etna_bo_new(fd, 4096);

	etna_job_good(fd, &job, &target, VALUE);
	good.read_idx = etna_job_use(&job, &bo, ETNA_SUBMIT_BO_WRITE);
	job.num_pmrs = 1;
	*pmr = good;
	pmr->flags = 4;
	REFUSED(-EINVAL, (void)req);
	*pmr = good;
	pmr->read_offset = 0;
	REFUSED(-EINVAL, (void)req);
	*pmr = good;
	pmr->read_idx = job.num_bos;
	REFUSED(-EINVAL, (void)req);
	*pmr = good;
	pmr->domain = 8;
	REFUSED(-EINVAL, (void)req);
	*pmr = good;
	pmr->signal = 7;
	REFUSED(-EINVAL, (void)req);
	*pmr = good;
	pmr->read_offset = 4096;
	REFUSED(-EINVAL, (void)req);
	etna_bo_free(&bo);
}

/* The offset counts words. */
static void perfmon_past_the_end(void)
{
	struct etna_bo bo = etna_bo_new(fd, 4096);

	etna_job_good(fd, &job, &target, VALUE);
	job.pmrs[0] = (struct drm_etnaviv_gem_submit_pmr) {
		.flags = ETNA_PM_PROCESS_POST,
		.read_offset = 1024,
		.read_idx = etna_job_use(&job, &bo, ETNA_SUBMIT_BO_WRITE),
	};
	job.num_pmrs = 1;
	REFUSED(-EINVAL, (void)req);
	job.pmrs[0].read_offset = 1023;
	REFUSED(0, (void)req);
	etna_bo_free(&bo);
}

static void fills(void)
{
	igt_require(etna_can_fill(fd));
	for (uint32_t i = 0; i < 40; i++) {
		etna_job_new(fd, &job);
		etna_job_fill(fd, &job, &target, VALUE + i);
		igt_assert_eq(etna_run(fd, &job), 0);
		for (int w = 0; w < 512; w++)
			igt_assert_eq_u32(target.map[w], VALUE + i);
	}
}

/* How many interrupts of the GPU's first core all processors have had. */
static unsigned long interrupts(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	const char *name = etna_core_name();
	unsigned long sum = 0;
	char line[1024];

	igt_assert(file);
	while (fgets(line, sizeof(line), file)) {
		size_t length = strcspn(line, "\n");
		char *at = strchr(line, ':'), *end;

		line[length] = '\0';
		if (!at || length < strlen(name) || strcmp(line + length - strlen(name), name))
			continue;
		for (unsigned long n = strtoul(++at, &end, 10); end != at; n = strtoul(at = end, &end, 10))
			sum += n;
	}
	fclose(file);
	return sum;
}

/* A driver that looks at a job when its time is over finds its end, too: later. */
static void ends_interrupt(void)
{
	unsigned long before = interrupts();

	for (int i = 0; i < 5; i++) {
		etna_job_new(fd, &job);
		igt_assert_eq(etna_run(fd, &job), 0);
	}
	igt_assert_lte(5, interrupts() - before);
}

/* Queued jobs run in order; each BO is kept by its job. */
static void in_order(void)
{
	int file = -1;

	igt_require(etna_can_fill(fd));
	for (uint32_t i = 0; i < 100; i++) {
		etna_job_new(fd, &job);
		etna_job_fill(fd, &job, &target, i);
		if (file >= 0)
			close(file);
		file = etna_start(fd, &job);
	}
	igt_assert_eq(etna_end(file), 0);
	igt_assert_eq_u32(target.map[100], 99);
}

/* A core with both pipes goes from one to the other and back. */
static void both_pipes(void)
{
	const uint32_t both = chipFeatures_PIPE_2D | chipFeatures_PIPE_3D;

	igt_require((etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_0) & both) == both && etna_can_fill(fd));
	for (uint32_t i = 0; i < 10; i++) {
		etna_job_new(fd, &job);
		job.exec_state = ETNA_PIPE_2D;
		etna_put(&job, NOP);
		igt_assert_eq(etna_run(fd, &job), 0);
		etna_job_new(fd, &job);
		etna_job_fill(fd, &job, &target, VALUE + i);
		igt_assert_eq(etna_run(fd, &job), 0);
		igt_assert_eq_u32(target.map[511], VALUE + i);
	}
}

static void fence_in(void)
{
	int timeline, gate, file;

	igt_require(etna_can_fill(fd));
	igt_require_sw_sync();
	timeline = sw_sync_timeline_create();
	gate = sw_sync_timeline_create_fence(timeline, 1);
	target.map[0] = MARK;
	etna_job_new(fd, &job);
	etna_job_fill(fd, &job, &target, VALUE);
	job.flags = ETNA_SUBMIT_FENCE_FD_IN;
	job.fence_fd = gate;
	file = etna_start(fd, &job);
	usleep(20000);
	igt_assert_eq(sync_fence_status(file), 0);
	igt_assert_eq_u32(target.map[0], MARK);
	sw_sync_timeline_inc(timeline, 1);
	igt_assert_eq(etna_end(file), 0);
	igt_assert_eq_u32(target.map[0], VALUE);
	close(gate);
	close(timeline);
}

static void wait_fence(void)
{
	struct drm_etnaviv_wait_fence req = { 0 };

	etna_job_good(fd, &job, &target, VALUE);
	igt_assert_eq(etna_try_submit(fd, &job), 0);
	req.fence = job.fence;
	req.timeout = etna_time(30000);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &req), 0);
	req.flags = ETNA_WAIT_NONBLOCK;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &req), 0);
}

static void empty(void)
{
	etna_job_new(fd, &job);
	igt_assert_eq(etna_run(fd, &job), 0);
}

/* As long as it may be, and more of them than fit into memory for streams. */
static void long_streams(void)
{
	static uint32_t words[32768];
	struct drm_etnaviv_gem_submit req;
	int file = -1;

	etna_job_new(fd, &job);
	for (int i = 0; i < 32768; i += 2)
		words[i] = VIV_FE_COMMAND(NOP);
	for (int i = 0; i < 60; i++) {
		req = etna_job_args(&job);
		req.stream = (uintptr_t)words;
		req.stream_size = sizeof(words);
		req.flags = ETNA_SUBMIT_FENCE_FD_OUT;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req), 0);
		if (file >= 0)
			close(file);
		file = req.fence_fd;
	}
	igt_assert_eq(etna_end(file), 0);
}

/* Long streams behind @gate until there is no memory for one more: its error, and how many there were. */
static int fill_memory(int in, const struct gpu_gate *gate, int *files, int *count)
{
	static uint32_t words[32768];
	struct drm_etnaviv_gem_submit req;
	int ret;

	etna_job_new(in, &job);
	for (int i = 0; i < 32768; i += 2)
		words[i] = VIV_FE_COMMAND(NOP);
	for (*count = 0; *count < MAX_FULL; ++*count) {
		req = etna_job_args(&job);
		req.stream = (uintptr_t)words;
		req.stream_size = sizeof(words);
		req.flags = ETNA_SUBMIT_FENCE_FD_IN | ETNA_SUBMIT_FENCE_FD_OUT;
		req.fence_fd = gate->file;
		ret = gpu_try(in, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req);
		if (ret)
			return ret;
		files[*count] = req.fence_fd;
	}
	return 0;
}

/* Memory for streams has an end, and who meets it can go on when jobs have ended. */
static void full(void)
{
	struct gpu_gate gate = gpu_gate_new(-1);
	int files[MAX_FULL], count, ret;

	ret = fill_memory(fd, &gate, files, &count);
	/* vgem opens its gate after ten seconds, as long as a submit waits: either may come first. */
	if (!gate.vgem_fence || ret)
		igt_assert_eq(ret, -ETIMEDOUT);
	igt_assert_lt(0, count);
	if (!gate.vgem_fence)
		gpu_gate_open(&gate);
	for (int i = 0; i < count; i++)
		igt_assert_eq(etna_end(files[i]), 0);
	etna_job_good(fd, &job, &target, VALUE);
	igt_assert_eq(etna_run(fd, &job), 0);
	gpu_gate_free(-1, &gate);
}

struct filler {
	struct gpu_gate gate;
	int fd, files[MAX_FULL], count, ret;
};

static void *fill(void *data)
{
	struct filler *f = data;

	f->ret = fill_memory(f->fd, &f->gate, f->files, &f->count);
	return NULL;
}

/* Who waits for such memory is not in the way when the device goes: that is not put off until his time is over. */
static void full_unbind(void)
{
	struct filler f = { .gate = gpu_gate_new(-1), .fd = etna_open() };
	pthread_t thread;

	igt_assert_eq(pthread_create(&thread, NULL, fill, &f), 0);
	sleep(2);	/* it waits for ten seconds */
	igt_assert_eq(gpu_unbind(), 0);
	gpu_gate_open(&f.gate);
	pthread_join(thread, NULL);
	igt_assert_eq(f.ret, -ENODEV);
	igt_assert_lt(0, f.count);
	for (int i = 0; i < f.count; i++)
		close(f.files[i]);
	gpu_gate_free(-1, &f.gate);
	close(f.fd);
	igt_assert_eq(gpu_bind(), 0);
}

igt_main
{
	igt_fixture {
		fd = etna_open();
		target = etna_bo_new(fd, 4096);
	}
	igt_subtest("refuse-arguments")
		refuse_arguments();
	igt_subtest("refuse-bos")
		refuse_bos();
	igt_subtest("refuse-relocs") {
		igt_require(etna_can_fill(fd));
		refuse_relocs();
	}
	igt_subtest("two-relocs-on-a-word") {
		igt_require(etna_can_fill(fd));
		two_relocs_on_a_word();
	}
	igt_subtest("refuse-commands")
		refuse_commands();
	igt_subtest("refuse-commands-of-others")
		refuse_commands_of_others();
	igt_subtest("refuse-states")
		refuse_states();
	igt_subtest("refuse-lengths")
		refuse_lengths();
	igt_subtest("relocated-command")
		relocated_command();
	igt_subtest("relocated-state")
		relocated_state();
	igt_subtest("raw-address")
		raw_address();
	igt_describe("EINVAL: the same before, between and behind relocations");
	igt_subtest("raw-address-among")
		raw_address_among();
	igt_subtest("refuse-softpin")
		refuse_softpin();
	igt_subtest("softpin-overlap")
		softpin_overlap();
	igt_subtest("softpin-moves")
		softpin_moves();
	igt_subtest("space-full")
		space_full();
	igt_subtest("refuse-perfmon")
		refuse_perfmon();
	igt_subtest("perfmon-past-the-end")
		perfmon_past_the_end();
	igt_subtest("empty")
		empty();
	igt_subtest("fills")
		fills();
	igt_describe("The end of a job raises an interrupt");
	igt_subtest("interrupts")
		ends_interrupt();
	igt_subtest("in-order")
		in_order();
	igt_subtest("both-pipes")
		both_pipes();
	igt_subtest("perfmon")
		perfmon();
	igt_subtest("idle-cycles")
		idle_cycles();
	igt_subtest("fence-in")
		fence_in();
	igt_subtest("wait-fence")
		wait_fence();
	igt_subtest("long-streams")
		long_streams();
	igt_subtest("full")
		full();
	igt_subtest("full-unbind") {
		igt_require_f(etna_is_limn(), "unbinding under work is only asked of limn\n");
		etna_bo_free(&target);
		close(fd);
		full_unbind();
		fd = etna_open();
		target = etna_bo_new(fd, 4096);
	}
	igt_fixture {
		etna_bo_free(&target);
		close(fd);
	}
}
