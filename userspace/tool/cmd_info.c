// SPDX-License-Identifier: MIT
#include <stdio.h>

#include <drm/limn_drm.h>

#include "lib/utgard/utgard.h"
#include "lib/vivante/states.h"
#include "lib/vivante/vivante.h"
#include "tool/cmd.h"
#include "tool/json.h"
#include "tool/target.h"

static bool heap_grows(const struct limn_info *info)
{
	return info->version[0] > 1 || info->version[1] > 0;
}

/* What keeps clients of the GPU apart, as the driver says; nothing when it says nothing. */
static void isolation_text(const struct limn_info *info)
{
	uint64_t has = info->isolation;

	if (!info->says_isolation)
		return;
	printf("isolation memory of other clients: %s\n",
	       has & DRM_LIMN_ISOLATION_MEMORY ? "out of reach" :
	       "not isolated: strides, sizes, shaders' loads and stores and addresses below 2 GiB reach it all");
	printf("          memory for reading:      %s\n",
	       has & DRM_LIMN_ISOLATION_READONLY ? "not written" : "can be written");
	printf("          what jobs leave behind:  %s\n",
	       has & DRM_LIMN_ISOLATION_STATE ? "not seen by other clients" : "not promised to be hidden");
}

static void isolation_json(const struct limn_info *info)
{
	static const char *const names[] = { "memory", "readonly", "state" };
	const char *comma = "";

	if (!info->says_isolation)
		return;
	printf(", \"isolation\": [");
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!(info->isolation >> i & 1))
			continue;
		printf("%s\"%s\"", comma, names[i]);
		comma = ", ";
	}
	printf("]");
}

/* --- Vivante ------------------------------------------------------------- */

/* Names of the features that a core has, word by word, each through put. */
static void each_feature(const struct viv_specs *p, void (*put)(const char *name, uint32_t *n))
{
	static const unsigned int words[VIV_FEATURE_WORDS] = {
		VIV_KIND_chipFeatures, VIV_KIND_chipMinorFeatures0, VIV_KIND_chipMinorFeatures1,
		VIV_KIND_chipMinorFeatures2, VIV_KIND_chipMinorFeatures3, VIV_KIND_chipMinorFeatures4,
		VIV_KIND_chipMinorFeatures5, VIV_KIND_chipMinorFeatures6, VIV_KIND_chipMinorFeatures7,
		VIV_KIND_chipMinorFeatures8, VIV_KIND_chipMinorFeatures9, VIV_KIND_chipMinorFeatures10,
		VIV_KIND_chipMinorFeatures11,
	};
	uint32_t n = 0;

	for (int w = 0; w < VIV_FEATURE_WORDS; w++)
		for (const struct viv_row *f = viv_field_first(viv_kind_row(words[w])); f; f = viv_field_next(f))
			if (p->features[w] >> f->lo & 1)
				put(f->name, &n);
}

static void put_text(const char *name, uint32_t *n)
{
	/* Lines of about 80 characters. */
	uint32_t width = strlen(name) + 1;

	if (!*n || *n + width > 80) {
		printf(*n ? "\n          " : "features  ");
		*n = 10;
	}
	printf("%s%s", *n > 10 ? " " : "", name);
	*n += width;
}

static void put_json(const char *name, uint32_t *n)
{
	printf("%s\"%s\"", (*n)++ ? ", " : "", name);
}

static void core_text(const struct viv_specs *p)
{
	printf("GPU       Vivante GC%x, revision 0x%04x%s%s\n", p->model, p->revision, p->pipe_3d ? ", 3D" : "",
	       p->pipe_2d ? ", 2D" : "");
	if (p->pipe_3d) {
		printf("cores     %u shader core%s, %u pixel pipe%s, %u vertex streams\n", p->shader_cores,
		       p->shader_cores == 1 ? "" : "s", p->pixel_pipes, p->pixel_pipes == 1 ? "" : "s", p->stream_count);
		printf("shaders   %u instructions%s, %u uniforms%s, %u varyings", p->instructions,
		       p->icache ? " and from memory" : "", p->constants, p->unified_uniforms ? " for both" : "",
		       p->varyings);
		if (p->halti >= 0)
			printf(", HALTI%d", p->halti);
		printf("\nresolve   %s, %u bits of tile status\n", p->blt ? "BLT" : "RS", p->ts_bits);
	}
	each_feature(p, put_text);
	printf("\n");
}

static void core_json(const struct viv_specs *p)
{
	printf("{\"model\": \"gc%x\", \"revision\": %u, \"product_id\": %u, \"pipe_3d\": %s, \"pipe_2d\": %s, ",
	       p->model, p->revision, p->product_id, p->pipe_3d ? "true" : "false", p->pipe_2d ? "true" : "false");
	printf("\"shader_cores\": %u, \"pixel_pipes\": %u, \"streams\": %u, \"instructions\": %u, \"uniforms\": %u, ",
	       p->shader_cores, p->pixel_pipes, p->stream_count, p->instructions, p->constants);
	printf("\"varyings\": %u, \"halti\": %d, \"features\": [", p->varyings, p->halti);
	each_feature(p, put_json);
	printf("]}");
}

static void print_vivante(const struct limn_info *info, bool json)
{
	struct viv_specs p;

	if (json)
		printf("{\"cores\": [");
	for (uint32_t i = 0; i < info->num_cores; i++) {
		viv_specs_init(&p, info, i);
		if (json && i)
			printf(", ");
		(json ? core_json : core_text)(&p);
	}
	if (json) {
		printf("], \"driver\": \"%s\", \"version\": [%d, %d, %d], \"desc\": \"%s\", \"node\": ",
		       info->driver, info->version[0], info->version[1], info->version[2], info->desc);
		json_print_string(stdout, info->path);
		isolation_json(info);
		printf("}\n");
		return;
	}
	printf("ABI       %s %d.%d.%d: %s\n", info->driver, info->version[0], info->version[1], info->version[2],
	       info->desc);
	if (info->path[0])
		printf("node      %s\n", info->path);
	isolation_text(info);
}

/* --- Utgard --------------------------------------------------------------- */

static void print_text(const struct limn_info *info)
{
	printf("GPU       Mali-%u MP%u\n", info->gpu, info->num_pp);
	printf("cores     1 GP, version 0x%08x\n", info->gp_version);
	printf("          %u PP, version 0x%08x\n", info->num_pp, info->pp_version);
	printf("features  targets to %ux%u, 4 samples, %u textures%s%s\n", UTGARD_MAX_SIZE,
	       UTGARD_MAX_SIZE, UTGARD_MAX_TEXTURES, heap_grows(info) ? ", growing tile heap" : "",
	       info->gpu == 450 ? ", tiles dealt by DLBU" : "");
	printf("ABI       %s %d.%d.%d: %s\n", info->driver, info->version[0], info->version[1],
	       info->version[2], info->desc);
	if (info->path[0])
		printf("node      %s\n", info->path);
	isolation_text(info);
}

static void print_json(const struct limn_info *info)
{
	printf("{\"gpu\": \"mali-%u\", \"pp_cores\": %u, \"gp_version\": %u, \"pp_version\": %u, ",
	       info->gpu, info->num_pp, info->gp_version, info->pp_version);
	printf("\"driver\": \"%s\", \"version\": [%d, %d, %d], \"desc\": \"%s\", ", info->driver,
	       info->version[0], info->version[1], info->version[2], info->desc);
	printf("\"node\": ");
	json_print_string(stdout, info->path);
	isolation_json(info);
	printf(", \"max_size\": %u, \"max_samples\": 4, "
	       "\"max_textures\": %u, \"growing_heap\": %s, \"dlbu\": %s}\n", UTGARD_MAX_SIZE, UTGARD_MAX_TEXTURES, heap_grows(info) ? "true" : "false",
	       info->gpu == 450 ? "true" : "false");
}

int cmd_info(int argc, char **argv)
{
	struct target target = { .any_family = true };
	bool json = false, models = false;
	const struct option shared[] = TARGET_OPTIONS(&target), own[] = {
		{ .name = "--json", .kind = OPTION_FLAG, .to = &json, .help = "the same for programs" },
		{ .name = "--models", .kind = OPTION_FLAG, .to = &models, .help = "the names of all models, one a line" },
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "info", .files = "", .about = "What the GPU is.\n", .options = own, .more = shared,
		.example = "limn info --model gc2000",
	};
	struct limn_device *dev;
	struct limn_error err;
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	for (unsigned int i = 0; models && target_models(NULL, i); i++)
		printf("%s\n", target_models(NULL, i));
	if (models)
		return EXIT_OK;
	if (target_open(&target, &dev, &err)) {
		fprintf(stderr, "limn info: %s\n", err.text);
		return target_status(&target);
	}
	if (limn_get_info(dev)->family == LIMN_VIVANTE)
		print_vivante(limn_get_info(dev), json);
	else
		(json ? print_json : print_text)(limn_get_info(dev));
	limn_close(dev);
	return 0;
}
