// SPDX-License-Identifier: MIT
/*
 * Host carrier: Vivante. Resets a core as its driver must, sets up MMUv1 or
 * v2, and runs each stream between what a driver puts around it: pipe switch,
 * cache flush, semaphore and stall, event, END. FE stands still between jobs.
 *
 * A core's own buffers are below the BOs: MMUv1 reaches them through its
 * linear window, MMUv2 maps them at fixed addresses.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/carriers/host/host_priv.h"
#include "model/vivante/internal.h"

#define VA_FIRST	0x00400000u	/* of BOs with MMUv2 */
#define VA_RING		0x00010000u	/* MMUv2 */
#define VA_STREAM	0x00100000u
#define STREAM_BYTES	(512u << 10)
#define MAX_WORDS	(0xffffu * 2 - 2)	/* FE fetches 65535 words of 64 bits, and a LINK is among them */
#define LINEAR_BASE	HOST_DMA
#define EVENT		3u

/* From the model's table: it is asked before there is a model. */
static const struct viv_chip *chip_of(const struct host *h, unsigned int core)
{
	return ((const struct viv_chip *const *)((const struct gpu_row *)h->gpu)->facts)[core];
}

static uint32_t reg(const struct host *h, unsigned int core, uint32_t address)
{
	return core * h->gpu->window + address;
}

/* Where FE finds the bytes at pa, one of the carrier's own buffers. */
static uint32_t device_address(struct host *h, unsigned int core, uint32_t pa)
{
	if (!chip_of(h, core)->mmu_v2)
		return pa - LINEAR_BASE;
	return pa >= h->stream && pa < h->stream + STREAM_BYTES ? VA_STREAM + (pa - h->stream) : VA_RING + (pa - h->ring);
}

/* --- Memory ----------------------------------------------------------------- */

static bool is_v2(const struct host *h)
{
	return chip_of(h, 0)->mmu_v2;
}

static int map_v2(struct host *h, uint32_t va, uint32_t pa)
{
	uint32_t *master = (uint32_t *)host_ram_at(h, h->directory) + VIV_GET(VIV_MMUV2_MTLB_INDEX, va);
	uint32_t *slave;

	if (!(*master & VIV_MMUV2_PRESENT)) {
		uint32_t table;
		int err = host_ram_alloc(h, HOST_PAGE, &table);

		if (err)
			return err;
		slave = (uint32_t *)host_ram_at(h, table);
		for (unsigned int i = 0; i < VIV_MMUV2_ENTRIES; i++)
			slave[i] = VIV_MMUV2_EXCEPTION;
		*master = table | VIV_MMUV2_PRESENT;
	}
	slave = (uint32_t *)host_ram_at(h, *master & ~(HOST_PAGE - 1));
	slave[VIV_GET(VIV_MMUV2_STLB_INDEX, va)] =
		pa ? pa | VIV_MMUV2_PRESENT | VIV_MMUV2_WRITEABLE : VIV_MMUV2_EXCEPTION;
	return 0;
}

static int map_page(struct host *h, uint32_t va, uint32_t pa)
{
	if (is_v2(h))
		return map_v2(h, va, pa);
	((uint32_t *)host_ram_at(h, h->directory))[(va - VIV_MMUV1_BASE) / HOST_PAGE] = pa ? pa : h->bad_page;
	return 0;
}

static int map_range(struct host *h, uint32_t va, uint32_t pa, uint32_t bytes)
{
	int err = 0;

	for (uint32_t i = 0; i < bytes && !err; i += HOST_PAGE)
		err = map_v2(h, va + i, pa + i);
	return err;
}

static int mem_init(struct host *h)
{
	bool v2 = is_v2(h);
	int err = host_ram_alloc(h, HOST_PAGE, &h->bad_page);
	uint32_t *table;

	h->va.first = (v2 ? VA_FIRST : VIV_MMUV1_BASE) / HOST_PAGE;
	h->va.end = 1u << 20;
	if (!err)
		err = host_ram_alloc(h, HOST_PAGE, &h->ring);
	if (!err)
		err = host_ram_alloc(h, STREAM_BYTES, &h->stream);
	if (!err)
		err = host_ram_alloc(h, VIV_PTA_BYTES, &h->pta);
	if (!err)
		err = host_ram_alloc(h, v2 ? HOST_PAGE : VIV_MMUV1_TABLE_BYTES, &h->directory);
	if (err)
		return err;
	table = (uint32_t *)host_ram_at(h, h->directory);
	for (unsigned int i = 0; i < (v2 ? VIV_MMUV2_ENTRIES : VIV_MMUV1_PAGES); i++)
		table[i] = v2 ? VIV_MMUV2_EXCEPTION : h->bad_page;
	if (v2)
		err = map_range(h, VA_RING, h->ring, HOST_PAGE);
	return err || !v2 ? err : map_range(h, VA_STREAM, h->stream, STREAM_BYTES);
}

/* --- Streams ------------------------------------------------------------------- */

struct writer {
	uint32_t *word;
	unsigned int n;
};

static void emit(struct writer *w, uint32_t a, uint32_t b)
{
	w->word[w->n++] = a;
	w->word[w->n++] = b;
}

static void load(struct writer *w, uint32_t address, uint32_t val)
{
	emit(w, VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, 1) |
		     VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, address / 4), val);
}

static void sync_to(struct writer *w, uint32_t to)
{
	uint32_t token = VIV_SET(VIVS_GL_SEMAPHORE_TOKEN_FROM, SYNC_RECIPIENT_FE) |
			 VIV_SET(VIVS_GL_SEMAPHORE_TOKEN_TO, to);

	load(w, VIVS_GL_SEMAPHORE_TOKEN, token);
	emit(w, VIV_FE_COMMAND(STALL), token);
}

static void sync_blt(struct writer *w)
{
	load(w, VIVS_BLT_ENABLE, VIVS_BLT_ENABLE_ENABLE);
	sync_to(w, SYNC_RECIPIENT_BLT);
	load(w, VIVS_BLT_ENABLE, 0);
}

static void start_fe(struct host *h, unsigned int core, uint32_t address, unsigned int words)
{
	host_write(h, reg(h, core, VIVS_FE_COMMAND_ADDRESS), address);
	host_write(h, reg(h, core, VIVS_FE_COMMAND_CONTROL), VIVS_FE_COMMAND_CONTROL_ENABLE |
		   VIV_SET(VIVS_FE_COMMAND_CONTROL_PREFETCH, words / 2));
	if (chip_of(h, core)->security)
		host_write(h, reg(h, core, VIVS_MMUv2_SEC_COMMAND_CONTROL), VIVS_MMUv2_SEC_COMMAND_CONTROL_ENABLE |
			   VIV_SET(VIVS_MMUv2_SEC_COMMAND_CONTROL_PREFETCH, words / 2));
}

/* Starts FE at a command at pa and waits until it is idle: for what sets up the MMU. */
static void run_setup(struct host *h, unsigned int core, uint32_t address, unsigned int words)
{
	uint64_t steps = 0;

	start_fe(h, core, address, words);
	while (steps++ < 100000 && (model_step(h->model) || steps < 100))
		;
	host_poll(h, reg(h, core, VIVS_HI_IDLE_STATE), 0x7fffffff, 0x7fffffff);
}

/* --- Reset and MMU ----------------------------------------------------------------- */

static void start_mmu_v1(struct host *h, unsigned int core)
{
	/* Of RA, FE, TX, PEZ and PE, and of FE, TX, PE, PEZ and RA: one behind the other. */
	for (unsigned int i = 0; i < 5; i++) {
		host_write(h, reg(h, core, VIVS_MC_MEMORY_BASE_ADDR_RA + 4 * i), LINEAR_BASE);
		host_write(h, reg(h, core, VIVS_MC_MMU_FE_PAGE_TABLE + 4 * i), h->directory);
	}
}

/* The buffer that sets the MMU up is fetched while addresses are still physical. */
static void start_mmu_v2(struct host *h, unsigned int core)
{
	struct writer w = { .word = (uint32_t *)host_ram_at(h, h->ring) };

	load(&w, VIVS_MMUv2_CONFIGURATION, h->directory);
	load(&w, VIVS_MMUv2_SAFE_ADDRESS, h->bad_page);
	sync_to(&w, SYNC_RECIPIENT_PE);
	emit(&w, VIV_FE_COMMAND(END), 0);
	run_setup(h, core, h->ring, w.n);
	host_write(h, reg(h, core, VIVS_MMUv2_CONTROL), VIVS_MMUv2_CONTROL_ENABLE);
}

static void start_mmu_secure(struct host *h, unsigned int core)
{
	uint64_t entry = h->directory;
	struct writer w = { .word = (uint32_t *)host_ram_at(h, h->ring) };

	memcpy(host_ram_at(h, h->pta), &entry, sizeof(entry));
	host_write(h, reg(h, core, VIVS_MMUv2_AHB_CONTROL), VIVS_MMUv2_AHB_CONTROL_NONSEC_ACCESS);
	host_write(h, reg(h, core, VIVS_MMUv2_PTA_ADDRESS_LOW), h->pta);
	host_write(h, reg(h, core, VIVS_MMUv2_PTA_ADDRESS_HIGH), 0);
	host_write(h, reg(h, core, VIVS_MMUv2_PTA_CONTROL), VIVS_MMUv2_PTA_CONTROL_ENABLE);
	host_write(h, reg(h, core, VIVS_MMUv2_NONSEC_SAFE_ADDR_LOW), h->bad_page);
	host_write(h, reg(h, core, VIVS_MMUv2_SEC_SAFE_ADDR_LOW), h->bad_page);
	host_write(h, reg(h, core, VIVS_MMUv2_SAFE_ADDRESS_CONFIG), 0);
	load(&w, VIVS_MMUv2_PTA_CONFIG, 0);
	emit(&w, VIV_FE_COMMAND(END), 0);
	run_setup(h, core, h->ring, w.n);
	host_write(h, reg(h, core, VIVS_MMUv2_SEC_CONTROL), VIVS_MMUv2_SEC_CONTROL_ENABLE);
}

static void reset_core(struct host *h, unsigned int core)
{
	uint32_t clock = VIV_SET(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL, 64);
	uint32_t control = reg(h, core, VIVS_HI_CLOCK_CONTROL);

	host_write(h, reg(h, core, VIVS_PM_POWER_CONTROLS), 0);
	host_write(h, control, clock | VIVS_HI_CLOCK_CONTROL_FSCALE_CMD_LOAD);
	host_write(h, control, clock);
	clock |= VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU;
	host_write(h, control, clock);
	host_write(h, control, clock | VIVS_HI_CLOCK_CONTROL_SOFT_RESET);
	host_write(h, control, clock);
	clock &= ~(uint32_t)VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU;
	host_write(h, control, clock);
	host_poll(h, reg(h, core, VIVS_HI_IDLE_STATE), 0x7fffffff, 0x7fffffff);
	host_write(h, reg(h, core, VIVS_PM_POWER_CONTROLS), VIVS_PM_POWER_CONTROLS_ENABLE_MODULE_CLOCK_GATING);
	host_write(h, reg(h, core, VIVS_HI_INTR_ENBL), ~0u);
	if (chip_of(h, core)->security)
		start_mmu_secure(h, core);
	else if (chip_of(h, core)->mmu_v2)
		start_mmu_v2(h, core);
	else
		start_mmu_v1(h, core);
}

static void start_device(struct host *h)
{
	for (unsigned int core = 0; core < h->gpu->devices; core++)
		reset_core(h, core);
}

const struct host_family host_vivante = {
	.mem_init = mem_init,
	.map_page = map_page,
	.start = start_device,
};

/* --- Jobs ------------------------------------------------------------------------------ */

/* What comes before the stream, up to the LINK to it. */
static void emit_before(struct host *h, struct writer *w, unsigned int core, uint32_t pipe, uint32_t words)
{
	const struct viv_chip *c = chip_of(h, core);

	if (!c->mmu_v2) {
		load(w, VIVS_GL_FLUSH_MMU, VIVS_GL_FLUSH_MMU_FLUSH_FEMMU | VIVS_GL_FLUSH_MMU_FLUSH_UNK1 |
		     VIVS_GL_FLUSH_MMU_FLUSH_UNK2 | VIVS_GL_FLUSH_MMU_FLUSH_PEMMU | VIVS_GL_FLUSH_MMU_FLUSH_UNK4);
	} else {
		load(w, VIVS_MMUv2_CONFIGURATION, VIVS_MMUv2_CONFIGURATION_MODE_MASK |
		     VIV_MASK(VIVS_MMUv2_CONFIGURATION_FLUSH) | (c->security ? 0 : h->directory));
		sync_to(w, SYNC_RECIPIENT_PE);
	}
	load(w, VIVS_GL_FLUSH_CACHE, pipe == HOST_PIPE_2D ? VIVS_GL_FLUSH_CACHE_PE2D :
	     VIVS_GL_FLUSH_CACHE_DEPTH | VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_TEXTURE |
	     VIVS_GL_FLUSH_CACHE_SHADER_L1);
	sync_to(w, SYNC_RECIPIENT_PE);
	load(w, VIVS_GL_PIPE_SELECT, pipe == HOST_PIPE_2D ? PIPE_ID_PIPE_2D : PIPE_ID_PIPE_3D);
	emit(w, VIV_FE_COMMAND(LINK) | VIV_SET(VIV_FE_LINK_HEADER_PREFETCH, words / 2),
	     device_address(h, core, h->stream));
}

static void emit_after(struct host *h, struct writer *w, unsigned int core, uint32_t pipe)
{
	const struct viv_chip *c = chip_of(h, core);

	if (pipe == HOST_PIPE_2D) {
		load(w, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_PE2D);
	} else {
		load(w, VIVS_GL_FLUSH_CACHE,
		     VIVS_GL_FLUSH_CACHE_DEPTH | VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_SHADER_L1);
		if (c->blt) {
			load(w, VIVS_BLT_ENABLE, VIVS_BLT_ENABLE_ENABLE);
			load(w, VIVS_BLT_SET_COMMAND, 1);
			load(w, VIVS_BLT_ENABLE, 0);
		} else {
			load(w, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
		}
	}
	sync_to(w, SYNC_RECIPIENT_PE);
	if (c->blt)
		sync_blt(w);
	load(w, VIVS_GL_EVENT, VIV_SET(VIVS_GL_EVENT_EVENT_ID, EVENT) | VIVS_GL_EVENT_FROM_PE);
	emit(w, VIV_FE_COMMAND(END), 0);
}

/* True when the job has ended. */
static bool service(struct host *h, unsigned int core, enum host_status *status)
{
	uint32_t irq = host_read(h, reg(h, core, VIVS_HI_INTR_ACKNOWLEDGE));
	bool secure = chip_of(h, core)->security;

	*status = HOST_OK;
	if (irq & VIVS_HI_INTR_ACKNOWLEDGE_MMU_EXCEPTION) {
		uint32_t what = host_read(h, reg(h, core, secure ? VIVS_MMUv2_SEC_STATUS : VIVS_MMUv2_STATUS));
		unsigned int n = 0;

		while (n < 3 && !(what >> 4 * n & 15))
			n++;
		host_complain(h, "MMU exception %u at %08x", what >> 4 * n & 15,
			      host_read(h, reg(h, core, secure ? VIVS_MMUv2_SEC_EXCEPTION_ADDR :
					       VIV_AT(VIVS_MMUv2_EXCEPTION_ADDR, n))));
		*status = HOST_FAULT;
	}
	if (irq & VIVS_HI_INTR_ACKNOWLEDGE_AXI_BUS_ERROR) {
		host_complain(h, "bus error, AXI status %08x", host_read(h, reg(h, core, VIVS_HI_AXI_STATUS)));
		*status = HOST_FAULT;
	}
	return *status == HOST_FAULT || (irq >> EVENT & 1);
}

/* What a driver's hang dump says: where FE stands, its last command, its state, and who is at work. */
static void complain_where(struct host *h, unsigned int core, unsigned int words)
{
#define VIV_BIT(owner, name, pos) { #owner, #name, 1u << (pos) },
	static const struct {
		const char *owner, *name;
		uint32_t bit;
	} bits[] = {
#include <limn/vivante/states.inc>
	};
	uint32_t idle = host_read(h, reg(h, core, VIVS_HI_IDLE_STATE));
	uint32_t debug = host_read(h, reg(h, core, VIVS_FE_DMA_DEBUG_STATE));
	uint32_t fe = host_read(h, reg(h, core, VIVS_FE_DMA_ADDRESS)), in = fe - device_address(h, core, h->stream);
	char word[40] = "";
	size_t n = strlen(h->error);

	if (in <= words * 4)
		snprintf(word, sizeof(word), " (word %u of the stream)", in / 4);
	n += snprintf(h->error + n, sizeof(h->error) - n, "; FE at %08x%s, after %08x %08x, CMD_STATE %u; busy:",
		      fe, word, host_read(h, reg(h, core, VIVS_FE_DMA_LOW)),
		      host_read(h, reg(h, core, VIVS_FE_DMA_HIGH)), VIV_GET(VIVS_FE_DMA_DEBUG_STATE_CMD_STATE, debug));
	for (unsigned int i = 0; i < sizeof(bits) / sizeof(bits[0]) && n < sizeof(h->error); i++) {
		if (!strcmp(bits[i].owner, "VIVS_HI_IDLE_STATE") && bits[i].bit < 1u << 31 && !(idle & bits[i].bit))
			n += snprintf(h->error + n, sizeof(h->error) - n, " %s", bits[i].name);
	}
}

static void run_stream(struct host *h, unsigned int core, uint32_t address, unsigned int words, unsigned int stream,
		       enum host_status *status)
{
	uint64_t steps = 0;

	start_fe(h, core, address, words);
	do {
		if (!host_wait_irq(h, &steps)) {
			*status = HOST_TIMEOUT;
			break;
		}
	} while (!service(h, core, status));
	if (*status != HOST_OK) {
		complain_where(h, core, stream);
		reset_core(h, core);
		return;
	}
	while (steps++ < 100000000 && model_step(h->model))
		;
}

int host_submit_stream(struct host *h, uint32_t pipe, const uint32_t *words, uint32_t count,
		       enum host_status *status)
{
	struct writer before = { .word = (uint32_t *)host_ram_at(h, h->ring) }, after, stream;
	unsigned int core = 0;

	if (h->family != &host_vivante || pipe > HOST_PIPE_2D || count % 2 || count > MAX_WORDS)
		return -EINVAL;
	while (core < h->gpu->devices &&
	       !(pipe == HOST_PIPE_2D ? chip_of(h, core)->pipe_2d : chip_of(h, core)->pipe_3d))
		core++;
	if (core == h->gpu->devices)
		return -EINVAL;
	h->error[0] = 0;
	stream = (struct writer){ .word = (uint32_t *)host_ram_at(h, h->stream) };
	memcpy(stream.word, words, count * 4);
	stream.n = count;
	emit_before(h, &before, core, pipe, count + 2);
	after = (struct writer){ .word = before.word + HOST_PAGE / 8 };
	emit_after(h, &after, core, pipe);
	emit(&stream, VIV_FE_COMMAND(LINK) | VIV_SET(VIV_FE_LINK_HEADER_PREFETCH, after.n / 2),
	     device_address(h, core, h->ring + HOST_PAGE / 2));
	run_stream(h, core, device_address(h, core, h->ring), before.n, stream.n, status);
	return 0;
}

int host_identity(struct host *h, unsigned int core, struct host_identity *id)
{
	const struct viv_chip *c;

	if (h->family != &host_vivante)
		return -EINVAL;
	if (core >= h->gpu->devices)
		return -ENOENT;
	c = chip_of(h, core);
	*id = (struct host_identity){
		.model = c->model, .revision = c->revision, .product_id = c->product_id,
		.customer_id = c->customer_id, .eco_id = c->eco_id, .stream_count = c->stream_count,
		.register_max = c->register_max, .thread_count = c->thread_count,
		.shader_core_count = c->shader_core_count, .vertex_cache_size = c->vertex_cache_size,
		.vertex_output_buffer_size = c->vertex_output_buffer_size, .pixel_pipes = c->pixel_pipes,
		.instruction_count = c->instruction_count, .num_constants = c->num_constants,
		.num_varyings = c->num_varyings, .buffer_size = c->buffer_size, .mmu_v2 = c->mmu_v2,
	};
	id->features[0] = c->features;
	memcpy(id->features + 1, c->minor_features, sizeof(c->minor_features));
	/* NXP's GC3000 calls itself something else; drivers set it right. */
	if (id->model == 0x2000 && id->revision == 0xffff5450) {
		id->model = 0x3000;
		id->revision = 0x5450;
	}
	return 0;
}
