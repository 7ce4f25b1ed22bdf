// SPDX-License-Identifier: MIT
#include <stdio.h>

#include <drm/limn_drm.h>

#include "lib/utgard/utgard.h"
#include "lib/vivante/states.h"
#include "lib/vivante/vivante.h"
#include "tool/cmd.h"
#include "tool/job/job.h"
#include "tool/json.h"
#include "tool/target.h"

/* What keeps clients of the GPU apart, as the driver says; nothing when it says nothing. */
static void print_isolation(struct json *j, const struct limn_info *info)
{
	static const struct {
		const char *name, *head, *has, *has_not;
	} rows[] = {
		{ "memory", "isolation memory of other clients", "out of reach",
		  "not isolated: strides, sizes, shaders' loads and stores and addresses below 2 GiB reach it all" },
		{ "readonly", "          memory for reading", "not written", "can be written" },
		{ "state", "          what jobs leave behind", "not seen by other clients", "not promised to be hidden" },
	};

	if (!info->says_isolation)
		return;
	json_array(j, "isolation");
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool has = info->isolation >> i & 1;

		report(j, "{_head%-33s} {_is}\n", TEXT("_head", rows[i].head), TEXT("_is", has ? rows[i].has : rows[i].has_not));
		if (has && !j->text)
			json_string(j, NULL, rows[i].name);
	}
	json_end_array(j);
}

/* The user ABI, on which node; the same for both families. */
static void print_abi(struct json *j, const struct limn_info *info)
{
	report(j, "ABI       {driver} {_major}.{_minor}.{_patch}: {desc}\n", STRING("driver", info->driver),
	       STRING("desc", info->desc), TEXT_INT("_major", info->version[0]), TEXT_INT("_minor", info->version[1]),
	       TEXT_INT("_patch", info->version[2]));
	json_array(j, "version");
	for (int i = 0; i < 3; i++)
		report(j, "", INT(NULL, info->version[i]));
	json_end_array(j);
	report(j, info->path[0] ? "node      {node}\n" : "", STRING("node", info->path));
	print_isolation(j, info);
}

/* --- Vivante ------------------------------------------------------------- */

/* Names of the features that a core has, in lines of about 80 characters. */
static void print_features(struct json *j, const struct viv_specs *p)
{
	static const unsigned int words[VIV_FEATURE_WORDS] = {
		VIV_KIND_chipFeatures, VIV_KIND_chipMinorFeatures0, VIV_KIND_chipMinorFeatures1,
		VIV_KIND_chipMinorFeatures2, VIV_KIND_chipMinorFeatures3, VIV_KIND_chipMinorFeatures4,
		VIV_KIND_chipMinorFeatures5, VIV_KIND_chipMinorFeatures6, VIV_KIND_chipMinorFeatures7,
		VIV_KIND_chipMinorFeatures8, VIV_KIND_chipMinorFeatures9, VIV_KIND_chipMinorFeatures10,
		VIV_KIND_chipMinorFeatures11,
	};
	uint32_t column = 0;

	json_array(j, "features");
	for (int w = 0; w < VIV_FEATURE_WORDS; w++) {
		for (const struct viv_row *f = limn_viv_field_first(limn_viv_kind_row(words[w])); f; f = limn_viv_field_next(f)) {
			uint32_t width = strlen(f->name) + 1;

			if (!(p->features[w] >> f->lo & 1))
				continue;
			report(j, "{_gap}{_name}", STRING(NULL, f->name), TEXT("_name", f->name),
			       TEXT("_gap", !column ? "features  " : column + width > 80 ? "\n          " : " "));
			column = !column || column + width > 80 ? 10 + width : column + width;
		}
	}
	json_end_array(j);
	report(j, "\n");
}

static void print_core(struct json *j, const struct viv_specs *p)
{
	char model[16];

	snprintf(model, sizeof(model), "gc%x", p->model);
	json_object(j, NULL);
	report(j, "GPU       Vivante GC{_model%llx}, revision 0x{_revision%04llx}{_3d}{_2d}\n", STRING("model", model),
	       TEXT_HEX("_model", p->model), INT("revision", p->revision), TEXT_HEX("_revision", p->revision),
	       INT("product_id", p->product_id), BOOL("pipe_3d", p->pipe_3d), BOOL("pipe_2d", p->pipe_2d),
	       TEXT("_3d", p->pipe_3d ? ", 3D" : ""), TEXT("_2d", p->pipe_2d ? ", 2D" : ""));
	report(j, p->pipe_3d ? "cores     {shader_cores} shader core{_s}, {pixel_pipes} pixel pipe{_p}, {streams} vertex streams\n"
	       "shaders   {instructions} instructions{_icache}, {uniforms} uniforms{_both}, {varyings} varyings" : "",
	       INT("shader_cores", p->shader_cores), TEXT("_s", p->shader_cores == 1 ? "" : "s"),
	       INT("pixel_pipes", p->pixel_pipes), TEXT("_p", p->pixel_pipes == 1 ? "" : "s"),
	       INT("streams", p->stream_count), INT("instructions", p->instructions),
	       TEXT("_icache", p->icache ? " and from memory" : ""), INT("uniforms", p->constants),
	       TEXT("_both", p->unified_uniforms ? " for both" : ""), INT("varyings", p->varyings));
	report(j, p->pipe_3d && p->halti >= 0 ? ", HALTI{halti}" : "", INT("halti", p->halti));
	report(j, p->pipe_3d ? "\nresolve   {_blt}, {_ts} bits of tile status\n" : "", TEXT("_blt", p->blt ? "BLT" : "RS"),
	       TEXT_INT("_ts", p->ts_bits));
	print_features(j, p);
	json_end_object(j);
}

static void print_vivante(struct json *j, const struct limn_info *info)
{
	struct viv_specs p;

	json_array(j, "cores");
	for (uint32_t i = 0; i < info->num_cores; i++) {
		limn_viv_specs_init(&p, info, i);
		print_core(j, &p);
	}
	json_end_array(j);
}

/* --- Utgard --------------------------------------------------------------- */

static void print_utgard(struct json *j, const struct limn_info *info)
{
	bool grows = info->version[0] > 1 || info->version[1] > 0;
	char gpu[16];

	snprintf(gpu, sizeof(gpu), "mali-%u", info->gpu);
	report(j, "GPU       Mali-{_gpu} MP{pp_cores}\n"
	       "cores     1 GP, version 0x{_gp}\n"
	       "          {pp_cores} PP, version 0x{_pp}\n"
	       "features  targets to {max_size}x{max_size}, {max_samples} samples, {max_textures} textures{_heap}{_dlbu}\n",
	       STRING("gpu", gpu), TEXT_INT("_gpu", info->gpu), INT("pp_cores", info->num_pp),
	       INT("gp_version", info->gp_version), TEXT_HEX("_gp", info->gp_version), INT("pp_version", info->pp_version),
	       TEXT_HEX("_pp", info->pp_version), INT("max_size", UTGARD_MAX_SIZE), INT("max_samples", 4),
	       INT("max_textures", UTGARD_MAX_TEXTURES), BOOL("growing_heap", grows), BOOL("dlbu", info->gpu == 450),
	       TEXT("_heap", grows ? ", growing tile heap" : ""),
	       TEXT("_dlbu", info->gpu == 450 ? ", tiles dealt by DLBU" : ""));
}

int cmd_info(int argc, char **argv)
{
	struct target target = { .any_family = true };
	bool json = false, models = false, statements = false;
	const struct option shared[] = TARGET_OPTIONS(&target), own[] = {
		OPTION_JSON(&json),
		{ .name = "--models", .kind = OPTION_FLAG, .to = &models, .help = "the names of all models, one a line" },
		{ .name = "--statements", .kind = OPTION_FLAG, .to = &statements,
		  .help = "all statements of job files and their words, as reStructuredText" },
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "info", .files = "", .about = "What the GPU is.\n", .options = own, .more = shared,
		.example = "limn info --model gc2000",
	};
	struct json j = { .to = stdout, .line = true };
	struct limn_device *dev;
	struct limn_error err;
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (models && json)
		json_array(&j, NULL);
	for (unsigned int i = 0; models && target_models(NULL, i); i++) {
		if (json)
			json_string(&j, NULL, target_models(NULL, i));
		else
			puts(target_models(NULL, i));
	}
	if (models && json)
		json_end_array(&j);
	if (statements)
		job_describe(stdout);
	if (models || statements)
		return EXIT_OK;
	if (target_open(&target, &dev, &err))
		return failed(target_status(&target), "%s", err.text);
	j.text = !json;
	json_object(&j, NULL);
	(limn_get_info(dev)->family == LIMN_VIVANTE ? print_vivante : print_utgard)(&j, limn_get_info(dev));
	print_abi(&j, limn_get_info(dev));
	json_end_object(&j);
	limn_close(dev);
	return 0;
}
