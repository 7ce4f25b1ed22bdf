// SPDX-License-Identifier: MIT
/*
 * Mesa's Midgard and Bifrost compilers and disassemblers without a GPU, a kernel or Panfrost's
 * gallium driver (which needs LLVM to build): GLSL in, shader words and Mesa's text out. It links
 * the archive of Mesa's compilers that scripts/mesa-build keeps.
 *
 *	panfrost-compile [--separate] GPU VERSION FILE.vert|.frag|.comp...	compiles and links one program;
 *	separate: stages stay what they are, where linking moves code from one to the other
 *	panfrost-compile --disasm GPU FILE [LENGTHS]		the words of a file, in text; LENGTHS: a file
 *	with the bytes of each program in it, as numbers
 *
 * GPU is Mesa's GPU id (0x860 Midgard T860, 0x7212 Bifrost G52, ...); VERSION of GLSL 100, 300,
 * 310 or a desktop one. For each stage:
 *
 *	shader STAGE
 *	uniform NAME SLOT, sampler NAME N, system NAME SLOT WHICH	in vectors of uniform buffer 0
 *	blend TARGET FORMAT		Bifrost: of what the target's blend descriptor says of registers, Mesa's number
 *	push BUFFER OFFSET ...		the bytes that are preloaded: Midgard r23 down, Bifrost FAU up
 *	variable NAME LOCATION COMPONENT	of inputs and outputs, in Mesa's numbers of slots
 *	in SLOT NUMBER COMPONENT LOCATION, out SLOT NUMBER COMPONENT LOCATION
 *	words XXXXXXXX XXXXXXXX ...
 *	text of the disassembler
 *	end
 *
 * What surrounds the compilers in Mesa (the state tracker, the driver's system values) is done
 * here as far as it takes to get to code; the code need not be what a driver would run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/glsl/gl_nir.h"
#include "compiler/glsl/gl_nir_linker.h"
#include "compiler/glsl/standalone.h"
#include "main/shader_types.h"
#include "main/mtypes.h"
#include "panfrost/compiler/bifrost/disassemble.h"
#include "panfrost/compiler/bifrost_compile.h"
#include "panfrost/midgard/disassemble.h"
#include "panfrost/midgard/midgard_compile.h"
#include "panfrost/util/pan_lower_framebuffer.h"

/* Mesa's state tracker has it, st_nir.h wants the rest of gallium. */
bool st_nir_unlower_io_to_vars(nir_shader *nir);

static unsigned int gpu;
static bool separate;

static bool midgard(void)
{
	return gpu < 0x1000;
}

/*
 * Mesa's standalone GLSL compiler has few limits set, and sets them where nobody can reach in:
 * this is called between that and the compilation (the linker's --wrap).
 */
struct gl_shader_program *create_program(void) __asm__("__wrap__Z32standalone_create_shader_programv");
struct gl_shader_program *real_create_program(void) __asm__("__real__Z32standalone_create_shader_programv");

static struct gl_context context;

/* What the head of a shader says: where its inputs and outputs are. */
static char *interface;
static size_t interface_size;
static FILE *notes;

struct gl_shader_program *create_program(void)
{
	struct gl_constants *c = &context.Const;
	struct gl_shader_program *program;

	for (int i = 0; i < MESA_SHADER_STAGES; i++) {
		c->ShaderCompilerOptions[i].NirOptions = midgard() ? &midgard_nir_options : &bifrost_nir_options_v6;
		c->Program[i].MaxTextureImageUnits = 16;
		c->Program[i].MaxUniformBlocks = 12;
		c->Program[i].MaxCombinedUniformComponents = 1 << 14;
		c->Program[i].MaxUniformComponents = 4096;
		c->Program[i].MaxShaderStorageBlocks = 8;
		c->Program[i].MaxAtomicBuffers = 4;
		c->Program[i].MaxAtomicCounters = 8;
		c->Program[i].MaxImageUniforms = 8;
	}
	c->MaxCombinedTextureImageUnits = 48;
	c->MaxVertexStreams = 4;
	c->MaxImageUnits = 8;
	c->MaxCombinedImageUniforms = 24;
	c->MaxCombinedUniformBlocks = 36;
	c->MaxUniformBufferBindings = 36;
	c->MaxUniformBlockSize = 1 << 16;
	c->MaxShaderStorageBlockSize = 1 << 27;
	c->MaxShaderStorageBufferBindings = 24;
	c->MaxCombinedShaderStorageBlocks = 24;
	c->MaxCombinedShaderOutputResources = 24;
	c->MaxAtomicBufferBindings = 4;
	c->MaxCombinedAtomicBuffers = 8;
	c->MaxCombinedAtomicCounters = 16;
	c->MaxAtomicBufferSize = 4096;
	program = real_create_program();
	program->SeparateShader = separate;
	return program;
}

static int vec4_slots(const struct glsl_type *type, bool bindless)
{
	return glsl_count_vec4_slots(type, false, bindless);
}

/* The driver's own values are read from behind the uniforms, 16 bytes each. */
static bool lower_system_value(nir_builder *b, nir_instr *instr, void *next_slot)
{
	unsigned int slot;
	const char *name = "texture_size";
	unsigned int which = 0;
	nir_def *old, *value;

	if (instr->type == nir_instr_type_tex) {
		if (nir_instr_as_tex(instr)->op != nir_texop_txs)
			return false;
		old = &nir_instr_as_tex(instr)->def;
	} else if (instr->type == nir_instr_type_intrinsic) {
		nir_intrinsic_instr *in = nir_instr_as_intrinsic(instr);

		switch (in->intrinsic) {
		case nir_intrinsic_load_viewport_scale:
		case nir_intrinsic_load_viewport_offset:
		case nir_intrinsic_load_ssbo_address:
		case nir_intrinsic_get_ssbo_size:
		case nir_intrinsic_load_sampler_lod_parameters_pan:
		case nir_intrinsic_load_num_workgroups:
		case nir_intrinsic_load_workgroup_size:
		case nir_intrinsic_load_multisampled_pan:
		case nir_intrinsic_load_sample_positions_pan:
		case nir_intrinsic_load_raw_vertex_offset_pan:
		case nir_intrinsic_load_base_vertex:
		case nir_intrinsic_load_base_instance:
		case nir_intrinsic_load_num_vertices:
		case nir_intrinsic_load_rt_conversion_pan:
		case nir_intrinsic_image_size:
			break;
		default:
			return false;
		}
		old = &in->def;
		name = nir_intrinsic_infos[in->intrinsic].name;
		if (nir_intrinsic_infos[in->intrinsic].num_srcs && nir_src_is_const(in->src[0]))
			which = nir_src_as_uint(in->src[0]);
	} else {
		return false;
	}
	slot = (*(unsigned int *)next_slot)++;
	fprintf(notes, "system %s %u %u\n", name, slot, which);
	b->cursor = nir_after_instr(instr);
	value = nir_load_ubo(b, old->num_components, old->bit_size, nir_imm_int(b, 0),
			     nir_imm_int(b, 16 * slot), .align_mul = 16, .align_offset = 0,
			     .range_base = 0, .range = 16 * (slot + 1));
	nir_def_rewrite_uses(old, value);
	return true;
}

static void assign_uniforms(nir_shader *nir)
{
	unsigned int slot = 0, sampler = 0, image = 0;

	nir_foreach_variable_with_modes(var, nir, nir_var_uniform | nir_var_image) {
		const struct glsl_type *type = glsl_without_array(var->type);
		unsigned int *next = glsl_type_is_sampler(type) ? &sampler : glsl_type_is_image(type) ? &image : &slot;

		var->data.driver_location = *next;
		fprintf(notes, "%s %s %u\n", next == &slot ? "uniform" : next == &sampler ? "sampler" : "image", var->name, *next);
		*next += glsl_count_attribute_slots(var->type, false);
	}
	nir->num_uniforms = slot;
}

/* What the state tracker does between linking and the driver. */
static void finish_linking(nir_shader *nir, struct gl_shader_program *program)
{
	struct nir_lower_compute_system_values_options cs = { 0 };

	/* The source's variables are still there, though nothing reads or writes them any more. */
	nir_foreach_variable_with_modes(var, nir, nir_var_shader_in | nir_var_shader_out)
		fprintf(notes, "variable %s %u %u\n", var->name, var->data.location, var->data.location_frac);
	NIR_PASS(_, nir, nir_remove_dead_variables, nir_var_shader_in | nir_var_shader_out, NULL);
	NIR_PASS(_, nir, gl_nir_lower_buffers, program);
	NIR_PASS(_, nir, nir_lower_system_values);
	NIR_PASS(_, nir, nir_lower_compute_system_values, &cs);
	NIR_PASS(_, nir, gl_nir_lower_atomics, program, true);
	NIR_PASS(_, nir, nir_lower_indirect_derefs, nir_var_function_temp, UINT32_MAX);
	NIR_PASS(_, nir, nir_opt_intrinsics);
	NIR_PASS(_, nir, nir_lower_int64);
	NIR_PASS(_, nir, nir_lower_frexp);
	NIR_PASS(_, nir, nir_lower_atomics_to_ssbo, 0);
	assign_uniforms(nir);
	NIR_PASS(_, nir, nir_lower_io, nir_var_uniform, vec4_slots, (nir_lower_io_options)0);
	NIR_PASS(_, nir, nir_lower_uniforms_to_ubo, false, false);
	NIR_PASS(_, nir, gl_nir_lower_samplers, program);
	NIR_PASS(_, nir, gl_nir_lower_images, false);
	NIR_PASS(_, nir, nir_opt_dce);
	if (nir->info.stage != MESA_SHADER_COMPUTE) {
		nir_recompute_io_bases(nir, nir_var_shader_in | nir_var_shader_out);
		if (nir->info.stage == MESA_SHADER_VERTEX)
			NIR_PASS(_, nir, nir_move_output_stores_to_end);
		NIR_PASS(_, nir, st_nir_unlower_io_to_vars);
	}
	gl_nir_opts(nir);
	nir_shader_gather_info(nir, nir_shader_get_entrypoint(nir));
}

/* What the gallium driver does before its compiler. */
static void prepare(nir_shader *nir)
{
	static const enum pipe_format targets[8] = { PIPE_FORMAT_R8G8B8A8_UNORM };
	unsigned int slots = nir->num_uniforms;

	nir_foreach_variable_with_modes(var, nir, nir_var_shader_in | nir_var_shader_out)
		fprintf(notes, "%s %s %u %u %u\n", var->data.mode == nir_var_shader_in ? "in" : "out", var->name,
			var->data.driver_location, var->data.location_frac, var->data.location);
	if (nir->info.stage == MESA_SHADER_FRAGMENT)
		NIR_PASS(_, nir, nir_lower_fragcolor, 1);
	if (midgard())
		midgard_preprocess_nir(nir, gpu);
	else
		bifrost_preprocess_nir(nir, gpu);
	if (midgard() && nir->info.stage == MESA_SHADER_FRAGMENT)
		NIR_PASS(_, nir, pan_lower_framebuffer, targets, 0, 0, gpu < 0x700);
	NIR_PASS(_, nir, nir_copy_prop);
	NIR_PASS(_, nir, nir_opt_constant_folding);
	NIR_PASS(_, nir, nir_opt_dce);
	if (nir->info.stage == MESA_SHADER_VERTEX)
		NIR_PASS(_, nir, pan_nir_lower_static_noperspective, 0);
	if (nir_shader_instructions_pass(nir, lower_system_value, nir_metadata_control_flow, &slots) && !nir->info.num_ubos)
		nir->info.num_ubos = 1;
}

static void print_code(const char *stage, const void *code, size_t size)
{
	const uint32_t *words = code;

	fclose(notes);
	printf("shader %s\n%swords", stage, interface);
	free(interface);
	for (size_t i = 0; i < size / 4; i++)
		printf(" %08x", words[i]);
	printf("\n");
	if (midgard())
		disassemble_midgard(stdout, code, size, gpu, true);
	else
		disassemble_bifrost(stdout, code, size, false);
	printf("end\n");
}

static void compile(nir_shader *nir, struct gl_shader_program *program)
{
	struct panfrost_compile_inputs inputs = { .gpu_id = gpu, .pushable_ubos = 1, .no_idvs = separate };
	struct pan_shader_info info = { 0 };
	struct util_dynarray binary;

	notes = open_memstream(&interface, &interface_size);
	finish_linking(nir, program);
	prepare(nir);
	util_dynarray_init(&binary, NULL);
	if (midgard())
		midgard_compile_shader_nir(nir, &inputs, &binary, &info);
	else
		bifrost_compile_shader_nir(nir, &inputs, &binary, &info);
	for (unsigned int i = 0; !midgard() && nir->info.stage == MESA_SHADER_FRAGMENT && i < 8; i++)
		fprintf(notes, "blend %u %u\n", i, info.bifrost.blend[i].type);
	fprintf(notes, "push");
	for (unsigned int i = 0; i < info.push.count; i++)
		fprintf(notes, " %u %u", info.push.words[i].ubo, info.push.words[i].offset);
	fprintf(notes, "\n");
	print_code(gl_shader_stage_name(nir->info.stage), binary.data, binary.size);
	util_dynarray_fini(&binary);
}

static void disassemble(const char *data, size_t size)
{
	if (midgard())
		disassemble_midgard(stdout, data, size, gpu, true);
	else
		disassemble_bifrost(stdout, data, size, false);
}

/* lengths: NULL for one program. */
static int disassemble_file(const char *path, const char *lengths)
{
	FILE *file = fopen(path, "rb"), *list = lengths ? fopen(lengths, "r") : NULL;
	char *data = malloc(1 << 24);
	size_t size, at = 0, n;

	if (!file || !data || (lengths && !list)) {
		fprintf(stderr, "panfrost-compile: cannot read %s\n", path);
		return 1;
	}
	size = fread(data, 1, 1 << 24, file);
	fclose(file);
	if (!lengths)
		disassemble(data, size);
	for (; list && fscanf(list, "%zu", &n) == 1 && n <= size - at; at += n)
		disassemble(data + at, n);
	if (list)
		fclose(list);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	struct standalone_options options = { .do_link = 1, .just_log = 1 };
	struct gl_shader_program *program;

	if ((argc == 4 || argc == 5) && !strcmp(argv[1], "--disasm")) {
		gpu = strtoul(argv[2], NULL, 0);
		return disassemble_file(argv[3], argc == 5 ? argv[4] : NULL);
	}
	separate = argc > 1 && !strcmp(argv[1], "--separate");
	argc -= separate;
	argv += separate;
	if (argc < 4) {
		fprintf(stderr, "usage: panfrost-compile [--separate] GPU VERSION FILE...\n");
		return 2;
	}
	gpu = strtoul(argv[1], NULL, 0);
	options.glsl_version = atoi(argv[2]);
	glsl_type_singleton_init_or_ref();
	program = standalone_compile_shader(&options, argc - 3, argv + 3, &context);
	if (!program || !program->data->LinkStatus) {
		fprintf(stderr, "panfrost-compile: %s does not link\n", argv[3]);
		return 1;
	}
	for (int i = 0; i < MESA_SHADER_STAGES; i++) {
		if (program->_LinkedShaders[i])
			compile(program->_LinkedShaders[i]->Program->nir, program);
	}
	return 0;
}
