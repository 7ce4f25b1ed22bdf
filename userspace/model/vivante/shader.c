// SPDX-License-Identifier: MIT
/*
 * SH: where programs and uniforms are, and running them, eight invocations at a
 * time. Facts: rnndb state_3d.xml, Mesa etnaviv_emit.c, etnaviv_shader.c,
 * etnaviv_screen.c (which generation keeps instructions and uniforms where).
 */
#include <errno.h>
#include <stdlib.h>

#include "isa/vivante.h"
#include "model/vivante/viv3d.h"

#define RUN_LIMIT	1000000u	/* instructions of eight invocations: endless */
#define MAX_INSTRUCTIONS	0x10000u

/* chipMinorFeatures3.INSTRUCTION_CACHE */
#define HAS_ICACHE	(1u << 3)

/* States that say where a program is. ranged: RANGE alone says where it begins and ends. */
struct where {
	const char *name;
	uint32_t start_pc, end_pc, range, inst_addr, new_low, new_high, inst_mem, uniforms, uniform_base, temps;
	bool ranged;
};

struct v3d_shader {
	struct vivsim_state state;
	struct viv3d *p;
	bool vertex;
	bool computes;			/* PS has an instruction that is no nop */
	unsigned int touched;		/* temporaries from here on nobody writes in this draw */
	struct where kernel;
};

int v3d_shader_init(struct viv3d *p)
{
	p->shader = aligned_alloc(64, (sizeof(*p->shader) + 63) & ~(size_t)63);
	if (!p->shader)
		return -ENOMEM;
	memset(p->shader, 0, sizeof(*p->shader));
	p->shader->p = p;
	return 0;
}

void v3d_shader_destroy(struct viv3d *p)
{
	free(p->shader);
	free(p->vs.copy);
	free(p->ps.copy);
	free(p->vs.ops);
	free(p->ps.ops);
	free(p->vs.constants);
	free(p->ps.constants);
}

/* The part of [address, address + count words) within a range goes to dst. */
static void mirror(const struct viv3d *p, uint32_t address, uint32_t count, uint32_t base, uint32_t words, uint32_t *dst)
{
	uint32_t end = address + count * 4, from = address > base ? address : base;
	uint32_t to = end < base + words * 4 ? end : base + words * 4;

	if (from < to)
		memcpy(dst + (from - base) / 4, &p->v->state[from / 4], to - from);
}

void v3d_shader_loaded(struct viv3d *p, uint32_t address, uint32_t count)
{
	mirror(p, address, count, VIVS_SH_UNIFORMS, 0x800, p->uniforms);
	mirror(p, address, count, VIVS_SH_HALTI5_UNIFORMS_MIRROR, 0x800, p->uniforms);
	mirror(p, address, count, VIVS_SH_HALTI5_UNIFORMS, 0x800, p->uniforms);
	mirror(p, address, count, VIVS_SH_INST_MEM, 0x1000, p->inst);
	mirror(p, address, count, VIVS_SH_INST_MEM_MIRROR, 0x1000, p->inst);
}

/* --- What programs find ------------------------------------------------------------------ */

static void env_sample(void *ctx, const struct vivsim_sample *sample, v8f rgba[4])
{
	struct v3d_shader *sh = ctx;

	v3d_sample(sh->p, sh->vertex, sample, rgba);
	sh->p->samples_taken++;
	v3d_tell(sh->p, V3D_PART_TX, true);
	if (sh->p->watched)
		v3d_watch_sample(sh->p, sample, rgba);
}

static bool env_load(void *ctx, uint32_t address, uint32_t *value)
{
	struct v3d_shader *sh = ctx;

	if (unit_read32(sh->p->v->port[VIV_PORT_RA], address, value))
		return true;
	sh->p->fault = true;
	*value = 0;
	return false;
}

static bool env_store(void *ctx, uint32_t address, uint32_t value)
{
	struct v3d_shader *sh = ctx;

	if (unit_write32(sh->p->v->port[VIV_PORT_RA], address, value))
		return true;
	sh->p->fault = true;
	return false;
}

static void set_env(struct viv3d *p, struct v3d_program *prog)
{
	prog->env = (struct vivsim_env){
		.ctx = p->shader, .uniforms = prog->uniforms, .uniform_count = prog->uniform_count,
		.before_gc3000 = p->v->chip->halti < 2,
		.many_uniforms = viv_minor(p->v, 8, chipMinorFeatures8_SH_NO_ONECONST_LIMIT),
		.sample = env_sample, .load = env_load, .store = env_store,
	};
}

/* Of what no run of the draw changes. Without the room each run looks it up. */
static void bind_program(struct viv3d *p, struct v3d_program *prog)
{
	struct vivsim_state *st = &p->shader->state;
	size_t n = 1 + vivsim_bind(st, prog->ops, prog->count, &prog->env, NULL);

	if (n > prog->num_constants) {
		free(prog->constants);
		prog->constants = aligned_alloc(sizeof(v8u), n * sizeof(*prog->constants));
		prog->num_constants = prog->constants ? n : 0;
	}
	if (n <= prog->num_constants)
		vivsim_bind(st, prog->ops, prog->count, &prog->env, prog->constants);
}

bool v3d_shader_copy(struct viv3d *to, const struct viv3d *from)
{
	struct v3d_program own = to->ps;
	struct v3d_shader *shader = to->shader;

	if (own.decoded < from->ps.count) {
		free(own.ops);
		own.ops = malloc(from->ps.count * sizeof(*own.ops));
		own.decoded = own.ops ? from->ps.count : 0;
	}
	*shader = *from->shader;
	*to = *from;
	to->shader = shader;
	shader->p = to;
	to->vs = (struct v3d_program){ 0 };
	to->ps.copy = NULL;
	to->ps.ops = own.ops;
	to->ps.decoded = own.decoded;
	to->ps.constants = own.constants;
	to->ps.num_constants = own.num_constants;
	if (!own.ops)
		return false;
	vivsim_decode(to->ps.words, to->ps.count, own.ops);
	set_env(to, &to->ps);
	bind_program(to, &to->ps);
	shader->state.ops = NULL;
	return true;
}

/* --- Where programs are ---------------------------------------------------------------- */

static const struct where vertex = {
	"vs", VIVS_VS_START_PC, VIVS_VS_END_PC, VIVS_VS_RANGE, VIVS_VS_INST_ADDR, VIVS_VS_NEWRANGE_LOW,
	VIVS_VS_HALTI5_RANGE_HIGH, VIVS_VS_INST_MEM, VIVS_VS_UNIFORMS, VIVS_VS_UNIFORM_BASE, VIVS_VS_TEMP_REGISTER_CONTROL,
};

static const struct where pixel = {
	"ps", VIVS_PS_START_PC, VIVS_PS_END_PC, VIVS_PS_RANGE, VIVS_PS_INST_ADDR, VIVS_PS_NEWRANGE_LOW,
	VIVS_PS_HALTI5_RANGE_HIGH, VIVS_PS_INST_MEM, VIVS_PS_UNIFORMS, VIVS_PS_UNIFORM_BASE, VIVS_PS_TEMP_REGISTER_CONTROL,
};

static bool hang(struct viv3d *p, const struct where *w, const char *why, uint32_t value)
{
	viv_hang(p->v, w->name, VIVS_HI_IDLE_STATE_SH, "%s (0x%x)", why, value);
	return false;
}

/* Instructions in memory. GUESS(sh-icache): the cache is read anew by each draw, flushed or not. */
static bool load_program(struct viv3d *p, struct v3d_program *prog, const struct where *w, uint32_t va, uint32_t count)
{
	uint32_t *copy;

	if (!count || count > MAX_INSTRUCTIONS)
		return hang(p, w, "length of the program in memory", count);
	if (prog->copied < count) {
		copy = realloc(prog->copy, count * 16);
		if (!copy)
			return hang(p, w, "the model is out of memory", count);
		prog->copy = copy;
		prog->copied = count;
	}
	if (!unit_read(p->v->port[VIV_PORT_RA], va, prog->copy, count * 16)) {
		p->fault = true;
		return false;
	}
	prog->words = prog->copy;
	prog->count = count;
	return true;
}

static bool find_program(struct viv3d *p, struct v3d_program *prog, const struct where *w)
{
	struct vivante *v = p->v;
	uint32_t range = viv_state(v, w->range), start = w->ranged ? 0 : viv_state(v, w->start_pc);
	uint32_t end = w->ranged ? 0 : viv_state(v, w->end_pc);
	uint32_t low = range & 0xffff, room;

	prog->start = 0;
	if (v->chip->halti >= 5) {
		low = viv_state(v, w->new_low);
		return load_program(p, prog, w, viv_state(v, w->inst_addr) + low * 16, viv_state(v, w->new_high) - low);
	}
	prog->start = start;
	/*
	 * Without END_PC the program ends with RANGE, whose HIGH is its last instruction: the vendor's driver on
	 * GC3000, and etnaviv_gpu_tests (alu_tests.c).
	 */
	if (!end && range >> 16 >= low)
		end = (range >> 16) - low + 1;
	if (viv_minor(v, 3, HAS_ICACHE) && viv_state(v, VIVS_SH_ICACHE_CONTROL) & VIVS_SH_ICACHE_CONTROL_ENABLE)
		return load_program(p, prog, w, viv_state(v, w->inst_addr), end);
	/*
	 * Up to 256 instructions, VS and PS have memories of their own, else (and
	 * with a cache) one for both, and RANGE says which part: program counters
	 * count from its start.
	 */
	if (v->chip->instruction_count > 256 || viv_minor(v, 3, HAS_ICACHE)) {
		room = VIVS_SH_INST_MEM__LEN / 4;
		if (low >= room || end > room - low)
			return hang(p, w, "the program reaches beyond instruction memory", end);
		prog->words = p->inst + low * 4;
		/* etna_viv hardware.md: a wrong length hangs. */
		if (range >> 16 && end > (range >> 16) - low + 1)
			return hang(p, w, "END_PC lies beyond RANGE", end);
	} else {
		room = VIVS_VS_INST_MEM__LEN / 4;
		if (end > room)
			return hang(p, w, "the program reaches beyond instruction memory", end);
		prog->words = &v->state[w->inst_mem / 4];
	}
	if (start >= end)
		return hang(p, w, "the program has no instruction", end);
	prog->count = end;
	return true;
}

static bool decode_program(struct viv3d *p, struct v3d_program *prog, const struct where *w)
{
	struct vivsim_op *ops;

	if (prog->decoded < prog->count) {
		ops = realloc(prog->ops, prog->count * sizeof(*ops));
		if (!ops)
			return hang(p, w, "the model is out of memory", prog->count);
		prog->ops = ops;
		prog->decoded = prog->count;
	}
	vivsim_decode(prog->words, prog->count, prog->ops);
	return true;
}

static void find_uniforms(struct viv3d *p, struct v3d_program *prog, const struct where *w)
{
	struct vivante *v = p->v;
	uint32_t base = viv_state(v, w->uniform_base);

	if (v->chip->halti >= 1) {
		if (base > 512)
			base = 512;
		prog->uniforms = (const uint32_t (*)[4])(p->uniforms + base * 4);
		prog->uniform_count = 512 - base;
		return;
	}
	prog->uniforms = (const uint32_t (*)[4])&v->state[w->uniforms / 4];
	prog->uniform_count = 256;
}

/* Temporaries that the program names. Those it reaches through the address register are not seen. */
static unsigned int temps_used(const struct v3d_program *prog)
{
	unsigned int n = 0;

	for (unsigned int i = prog->start; i < prog->count; i++) {
		const struct vivsim_op *o = &prog->ops[i];

		if (o->dst_use && o->dst_reg + 1u > n)
			n = o->dst_reg + 1u;
		for (unsigned int s = 0; s < 3; s++)
			if (o->src[s].use && o->src[s].group == VIV_TEMP && o->src[s].reg + 1u > n)
				n = o->src[s].reg + 1u;
	}
	return n;
}

static bool program_start(struct viv3d *p, struct v3d_program *prog, const struct where *w)
{
	unsigned int used;

	if (!find_program(p, prog, w) || !decode_program(p, prog, w))
		return false;
	find_uniforms(p, prog, w);
	set_env(p, prog);
	/* GUESS(sh-num-temps-0): NUM_TEMPS = 0 stands for the 64 that the field cannot hold. */
	prog->temps = viv_state(p->v, w->temps) & 63;
	if (!prog->temps) {
		viv_guess(p->v, w->name, "TEMP_REGISTER_CONTROL 0 stands for 64 temporaries");
		prog->temps = 64;
	}
	used = temps_used(prog);
	if (used > prog->temps)
		return hang(p, w, "the program uses more temporaries than TEMP_REGISTER_CONTROL says", used);
	return true;
}

/* --- Inputs and outputs ------------------------------------------------------------------ */

static void unpack_registers(const struct vivante *v, uint32_t address, unsigned int n, uint8_t *reg)
{
	for (unsigned int i = 0; i < n; i++)
		reg[i] = viv_state(v, address + (i & ~3u)) >> 8 * (i & 3) & 0xff;
}

static bool vertex_interface(struct viv3d *p)
{
	struct vivante *v = p->v;
	bool halti5 = v->chip->halti >= 5;
	uint32_t count = viv_state(v, VIVS_VS_INPUT_COUNT), id = viv_state(v, VIVS_FE_HALTI5_ID_CONFIG);
	unsigned int n = VIV_GET(VIVS_VS_INPUT_COUNT_COUNT, count), most = halti5 ? 32 : 16;

	p->vertex_id = p->instance_id = ~0u;
	p->num_inputs = n > most ? most : n;
	p->num_outputs = VIV_GET(VIVS_VS_OUTPUT_COUNT_COUNT, viv_state(v, VIVS_VS_OUTPUT_COUNT));
	if (p->num_outputs > most + 2)
		return hang(p, &vertex, "more outputs than there are", p->num_outputs);
	unpack_registers(v, halti5 ? VIVS_VS_HALTI5_INPUT : VIVS_VS_INPUT, p->num_inputs, p->input_reg);
	unpack_registers(v, halti5 ? VIVS_VS_HALTI5_OUTPUT : VIVS_VS_OUTPUT, p->num_outputs < most ? p->num_outputs : most,
			 p->output_reg);
	/* The 17th and 18th have a place of their own. */
	for (unsigned int i = 16; !halti5 && i < 18 && i < p->num_outputs; i++)
		p->output_reg[i] = viv_state(v, VIVS_VS_OUTPUT_COUNT) >> 8 * (i - 15) & 0xff;
	if (count & VIVS_VS_INPUT_COUNT_ID_ENABLE) {
		/* The last input holds vertex and instance number. */
		p->num_inputs--;
		p->vertex_id = p->input_reg[p->num_inputs] * 4u;
		p->instance_id = p->vertex_id + 1;
	}
	if (halti5) {
		p->vertex_id = id & VIVS_FE_HALTI5_ID_CONFIG_VERTEX_ID_ENABLE ? VIV_GET(VIVS_FE_HALTI5_ID_CONFIG_VERTEX_ID_REG, id) : ~0u;
		p->instance_id = id & VIVS_FE_HALTI5_ID_CONFIG_INSTANCE_ID_ENABLE ?
				 VIV_GET(VIVS_FE_HALTI5_ID_CONFIG_INSTANCE_ID_REG, id) : ~0u;
	}
	/* etna_viv hardware.md. */
	if (p->num_inputs != p->fetch.num_elements)
		return hang(p, &vertex, "inputs are not as many as vertex elements: elements", p->fetch.num_elements);
	return true;
}

static bool indexes_temps(const struct v3d_program *prog)
{
	for (unsigned int i = prog->start; i < prog->count; i++) {
		const struct vivsim_op *o = &prog->ops[i];

		if (o->dst_use && o->dst_amode)
			return true;
		for (unsigned int s = 0; s < 3; s++)
			if (o->src[s].use && o->src[s].group == VIV_TEMP && o->src[s].amode)
				return true;
	}
	return false;
}

/* Does it read or write t0, where the position is? */
static bool uses_position(const struct viv3d *p)
{
	const struct v3d_program *prog = &p->ps;
	bool uses = !(p->pe.rt[0].reg % VIVSIM_TEMPS);

	for (unsigned int i = prog->start; i < prog->count; i++) {
		const struct vivsim_op *o = &prog->ops[i];

		uses |= o->dst_use && !o->dst_reg;
		for (unsigned int s = 0; s < 3; s++)
			uses |= o->src[s].use && (o->src[s].group == VIV_TEMP || o->src[s].group == VIV_TEMP_HALF) &&
				!(o->src[s].reg % VIVSIM_TEMPS);
	}
	return uses;
}

/*
 * Blocks go through the pipe together where each is what it is alone: the program computes its colour of the varyings and
 * does nothing else. Where it samples textures, which may fault or be what is drawn to, one by one, but the same short way.
 */
void v3d_batch_start(struct viv3d *p)
{
	const struct v3d_program *prog = &p->ps;
	enum vivsim_deed deed = vivsim_deed(prog->ops + prog->start, prog->count - prog->start);
	bool batch = !unit_strict(&p->v->u) && p->samples.count == 1 && p->pe.num_rts == 1 && deed != VIVSIM_OTHER &&
		     !uses_position(p);

	p->batch = batch ? prog->count - prog->start : 0;
	p->one_by_one = deed != VIVSIM_COMPUTES;
	p->shader->state.ops = NULL;
	p->shader->computes = false;
	for (unsigned int i = prog->start; i < prog->count; i++)
		p->shader->computes |= prog->ops[i].id != VIV_OP_nop;
}

/* The temporaries that no program of the draw writes are 0 once, and not before each run. */
static void touched_temps(struct viv3d *p)
{
	const struct v3d_program *progs[2] = { &p->vs, &p->ps };
	unsigned int n = 1 + p->num_varyings;

	for (unsigned int i = 0; i < p->num_inputs; i++)
		n = p->input_reg[i] + 1u > n ? p->input_reg[i] + 1u : n;
	for (unsigned int i = 0; i < 2; i++) {
		unsigned int used = temps_used(progs[i]);

		n = used > n ? used : n;
		if (indexes_temps(progs[i]) || p->vertex_id != ~0u || p->instance_id != ~0u)
			n = VIVSIM_TEMPS;
	}
	p->shader->touched = n;
	for (unsigned int i = 0; i < 2; i++)
		if (n < progs[i]->temps)
			memset(p->shader->state.temps[n], 0, (progs[i]->temps - n) * sizeof(p->shader->state.temps[0]));
}

bool v3d_shader_start(struct viv3d *p)
{
	struct vivante *v = p->v;
	unsigned int inputs = VIV_GET(VIVS_PS_INPUT_COUNT_COUNT, viv_state(v, VIVS_PS_INPUT_COUNT));
	unsigned int outputs;

	if (!program_start(p, &p->vs, &vertex) || !program_start(p, &p->ps, &pixel) || !vertex_interface(p))
		return false;
	bind_program(p, &p->vs);
	bind_program(p, &p->ps);
	touched_temps(p);
	outputs = 1 + p->num_varyings;
	if (p->num_outputs < outputs)
		viv_report(v, "vs", "%u outputs, but the position and %u varyings are taken", p->num_outputs, p->num_varyings);
	if (inputs != 1 + p->num_varyings && inputs != 2 + p->num_varyings)
		viv_report(v, "ps", "state 0x01008: %u inputs, but the position and %u varyings are given", inputs, p->num_varyings);
	if (viv_state(v, VIVS_PS_INPUT_COUNT) & VIVS_PS_INPUT_COUNT_DUAL16)
		viv_report(v, "ps", "state 0x01008: DUAL16 is not modelled");
	if (viv_state(v, VIVS_PS_CONTROL) & VIVS_PS_CONTROL_BYPASS)
		viv_report(v, "ps", "state 0x01010: BYPASS is not modelled");
	return true;
}

/* --- Running -------------------------------------------------------------------------------- */

/* Tells what a run of the program showed; false after a fault or a hang. */
static bool ran(struct viv3d *p, const struct where *w, const struct vivsim_state *st, enum sim_status status)
{
	/* By bits of enum vivsim_event. */
	static const char *const met[] = {
		"a uniform that is not there", "beyond the work group's memory", "not known, or an operand of unknown group",
		"it names several uniforms, but reads that of its last source for all",
	};

	if (p->fault)
		return false;
	if (status == SIM_FAULT)
		return hang(p, w, st->fault.reason, st->fault.at);
	if (status == SIM_LIMIT)
		return st->instructions < RUN_LIMIT ||
		       hang(p, w, "the program does not end; at instruction", st->pc[__builtin_ctz(st->live | 0x100) & 7]);
	for (unsigned int i = 0; st->events && i < sizeof(met) / sizeof(met[0]); i++)
		if (st->events >> i & 1)
			viv_report(p->v, w->name, "instruction %u: %s", st->event_at[i], met[i]);
	return true;
}

static bool run(struct viv3d *p, const struct v3d_program *prog, const struct where *w, uint8_t mask)
{
	struct vivsim_state *st = &p->shader->state;
	enum sim_status status;

	p->shader->vertex = w == &vertex;
	vivsim_begin(st, prog->ops, prog->count, &prog->env, mask);
	st->pc = v8_word(prog->start);
	/* Not of a pixel that is lost already and runs along with its quad. */
	if (p->watched && p->watched->verdict == MODEL_DRAWN && v3d_watch(p)->step)
		status = v3d_watch_run(p, st, prog->words, RUN_LIMIT);
	else
		status = vivsim_run(st, RUN_LIMIT);
	p->budget -= v3d_shader_cost((uint32_t)st->instructions);
	return ran(p, w, st, status);
}

/*
 * Older chips run kernels as vertex shaders, newer ones as fragment shaders (etnaviv_gpu_tests, Linux
 * etnaviv_flop_reset.c). Whoever writes them sets RANGE alone. GUESS(cl-range): the programs' counters do not count.
 */
struct vivsim_env *v3d_kernel_start(struct viv3d *p, const struct v3d_program **prog)
{
	struct v3d_program *program = p->v->chip->halti < 2 ? &p->vs : &p->ps;
	struct where *w = &p->shader->kernel;

	*w = program == &p->vs ? vertex : pixel;
	w->name = "cl";
	w->ranged = true;
	p->fault = false;
	if (!program_start(p, program, w))
		return NULL;
	p->shader->vertex = false;
	*prog = program;
	return &program->env;
}

bool v3d_kernel_ran(struct viv3d *p, struct vivsim_state *st, unsigned int instructions)
{
	enum sim_status status = vivsim_run(st, instructions);

	return ran(p, &p->shader->kernel, st, status);
}

/* GUESS(sh-temps-start): temporaries that are no inputs start as 0. Those below first are about to be written. */
static void clear_temps(struct viv3d *p, const struct v3d_program *prog, unsigned int first)
{
	unsigned int end = prog->temps < p->shader->touched ? prog->temps : p->shader->touched;
	v8u (*temps)[4] = p->shader->state.temps;

	for (unsigned int i = first; i < end; i++)
		for (unsigned int c = 0; c < 4; c++)
			temps[i][c] = (v8u){ 0 };
}

static void set_id(struct viv3d *p, unsigned int component, unsigned int lane, uint32_t value)
{
	if (component != ~0u && component / 4 < VIVSIM_TEMPS)
		p->shader->state.temps[component / 4][component % 4][lane] = value;
}

static void read_temp(const struct viv3d *p, unsigned int reg, unsigned int lane, float out[4])
{
	for (unsigned int c = 0; c < 4; c++) {
		uint32_t u = p->shader->state.temps[reg % VIVSIM_TEMPS][c][lane];

		memcpy(&out[c], &u, 4);
	}
}

bool v3d_run_vs(struct viv3d *p, const uint32_t input[][4][V3D_LANES], const uint32_t *index,
		unsigned int count, struct v3d_vertex *const out[])
{
	struct vivsim_state *st = &p->shader->state;
	uint8_t mask = (uint8_t)((1u << count) - 1);
	bool size = p->pa.size_per_vertex;
	float psize[4];

	clear_temps(p, &p->vs, 0);
	for (unsigned int i = 0; i < p->num_inputs; i++)
		memcpy(st->temps[p->input_reg[i] % VIVSIM_TEMPS], input[i], sizeof(st->temps[0]));
	for (unsigned int l = 0; l < count; l++) {
		set_id(p, p->vertex_id, l, index[l]);
		set_id(p, p->instance_id, l, p->fetch.instance);
	}
	if (!run(p, &p->vs, &vertex, mask))
		return false;
	unit_stats(&p->v->u)->vertices += count;
	p->v->perf.sh_vertices += count;
	p->v->perf.sh_vs_inst += (uint32_t)st->instructions;
	for (unsigned int l = 0; l < count; l++) {
		struct v3d_vertex *v = out[l];

		v->index = index[l];
		read_temp(p, p->output_reg[0], l, v->pos);
		for (unsigned int i = 0; i < p->num_varyings && i + 1 < p->num_outputs; i++)
			read_temp(p, p->output_reg[1 + i], l, v->varying[i]);
		v->size = 0;
		if (size && p->num_outputs) {
			read_temp(p, p->output_reg[p->num_outputs - 1], l, psize);
			v->size = psize[0];
		}
	}
	return true;
}

/* Inputs: t0 the position, t1 .. the varyings. */
static void pixel_inputs(struct viv3d *p, const struct v3d_block *b)
{
	struct vivsim_state *st = &p->shader->state;
	bool half = viv_state(p->v, VIVS_PA_SYSTEM_MODE) & VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER;
	const v8f x = { 0, 1, 0, 1, 2, 3, 2, 3 }, y = { 0, 0, 1, 1, 0, 0, 1, 1 };
	float centre = half ? 0.5f : 0;
	v8u *position = st->temps[0];

	clear_temps(p, &p->ps, 1 + p->num_varyings);
	position[0] = (v8u)((float)b->x + centre + x);
	position[1] = (v8u)((float)b->y + centre + y);
	position[2] = (v8u)b->zf;
	/* GUESS(sh-position-w): w of the position is 1/w, as OpenGL's gl_FragCoord. */
	position[3] = (v8u)(1 / b->w);
	for (unsigned int i = 0; i < p->num_varyings; i++)
		v3d_interpolate(p, b, i, (v8f *)st->temps[1 + i]);
	/* GUESS(sh-msaa-input): the input that multisampling adds is 0. */
	p->ps.env.frontfacing = v8_splat(p->raster.tris[p->raster.tri].cw);
}

/* Whole quads run, for the differences between pixels. */
static uint8_t quads(uint8_t lanes)
{
	return (lanes & 0x0f ? 0x0f : 0) | (lanes & 0xf0 ? 0xf0 : 0);
}

uint8_t v3d_run_ps(struct viv3d *p, const struct v3d_block *b, uint8_t lanes, v8f color[V3D_RTS][4],
		   v8f *depth, bool *depth_written)
{
	struct vivsim_state *st = &p->shader->state;
	uint8_t mask = quads(lanes);
	v8u before;

	v3d_tell(p, V3D_PART_PS, true);
	pixel_inputs(p, b);
	before = st->temps[0][2];
	if (!run(p, &p->ps, &pixel, mask))
		return 0;
	p->v->perf.sh_pixels += (uint32_t)__builtin_popcount(lanes);
	p->v->perf.sh_ps_inst += (uint32_t)st->instructions;
	for (unsigned int i = 0; i < p->pe.num_rts; i++) {
		for (unsigned int c = 0; c < 4; c++) {
			v8f v = (v8f)st->temps[p->pe.rt[i].reg % VIVSIM_TEMPS][c];

			color[i][c] = p->pe.rt[i].saturate ? v8_unit(v) : v;
		}
	}
	/* Depth is what t0.z holds at the end (Mesa writes gl_FragDepth there, and nothing else to t0). */
	memcpy(depth, &st->temps[0][2], sizeof(*depth));
	*depth_written = v8_mask(st->temps[0][2] != before) & lanes;
	return lanes & (uint8_t)~st->discarded;
}

void v3d_run_ps_batch(struct viv3d *p, const struct v3d_block *b, unsigned int n, v8f color[][4])
{
	struct vivsim_state *st = &p->shader->state;
	const struct v3d_color *rt = &p->pe.rt[0];

	v3d_tell(p, V3D_PART_PS, true);
	p->shader->vertex = false;
	p->ps.env.frontfacing = v8_splat(p->raster.tris[p->raster.tri].cw);
	if (st->ops != p->ps.ops)
		vivsim_begin(st, p->ps.ops, p->ps.count, &p->ps.env, 0xff);
	st->events = 0;
	for (unsigned int i = 0; i < n; i++) {
		clear_temps(p, &p->ps, 1 + p->num_varyings);
		for (unsigned int k = 0; k < p->num_varyings; k++)
			v3d_interpolate(p, &b[i], k, (v8f *)st->temps[1 + k]);
		if (p->shader->computes)
			vivsim_run_straight(st, p->ps.start, quads(b[i].cover[0]));
		for (unsigned int c = 0; c < 4; c++) {
			v8f v = (v8f)st->temps[rt->reg % VIVSIM_TEMPS][c];

			color[i][c] = rt->saturate ? v8_unit(v) : v;
		}
	}
	p->budget -= v3d_shader_cost(p->batch) * (int)n;
	if (!ran(p, &pixel, st, SIM_DONE))
		return;
	p->v->perf.sh_ps_inst += p->batch * n;
	for (unsigned int i = 0; i < n; i++)
		p->v->perf.sh_pixels += (uint32_t)__builtin_popcount(b[i].cover[0]);
}
