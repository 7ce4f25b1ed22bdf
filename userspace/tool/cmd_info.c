// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "lib/utgard/utgard.h"
#include "tool/cmd.h"
#include "tool/target.h"

static bool heap_grows(const struct limn_info *info)
{
	return info->version[0] > 1 || info->version[1] > 0;
}

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
}

static void print_json(const struct limn_info *info)
{
	printf("{\"gpu\": \"mali-%u\", \"pp_cores\": %u, \"gp_version\": %u, \"pp_version\": %u, ",
	       info->gpu, info->num_pp, info->gp_version, info->pp_version);
	printf("\"driver\": \"%s\", \"version\": [%d, %d, %d], \"desc\": \"%s\", ", info->driver,
	       info->version[0], info->version[1], info->version[2], info->desc);
	printf("\"node\": \"%s\", \"max_size\": %u, \"max_samples\": 4, "
	       "\"max_textures\": %u, \"growing_heap\": %s, \"dlbu\": %s}\n", info->path,
	       UTGARD_MAX_SIZE, UTGARD_MAX_TEXTURES, heap_grows(info) ? "true" : "false",
	       info->gpu == 450 ? "true" : "false");
}

int cmd_info(int argc, char **argv)
{
	static const char usage[] = "usage: limn info [--device PATH | --model NAME] [--json]\n";
	struct target target = { 0 };
	struct limn_device *dev;
	struct limn_error err;
	bool json = false;

	for (int i = 1; i < argc; i++) {
		int used = target_option(&target, argc - i, argv + i);

		if (used > 0) {
			i += used - 1;
		} else if (!strcmp(argv[i], "--json")) {
			json = true;
		} else {
			bool help = !strcmp(argv[i], "--help");

			fputs(usage, help ? stdout : stderr);
			return help ? 0 : 2;
		}
	}
	if (target_open(&target, &dev, &err)) {
		fprintf(stderr, "limn info: %s\n", err.text);
		return 1;
	}
	(json ? print_json : print_text)(limn_get_info(dev));
	limn_close(dev);
	return 0;
}
