// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A QEMU plugin that counts a guest's instructions and writes down when it reaches
 * given addresses, for scripts/bench-arm:
 *
 *	-plugin libcount.so,out=FILE,kernel=ADDR,points=NAME:ADDR+NAME:ADDR...
 *
 * Each line of FILE: instructions executed at kernel addresses (kernel and up) so
 * far, all instructions so far, NAME. With -icount alone, for the counters are plain.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <qemu/qemu-plugin.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv);

#define MAX_POINTS 64

static struct point {
	char name[64];
	uint64_t address;
} point[MAX_POINTS];
static unsigned int num_points;
static uint64_t kernel_base, kernel_count, user_count;
static FILE *out;

static void at_point(unsigned int vcpu, void *data)
{
	const struct point *p = data;

	fprintf(out, "%" PRIu64 " %" PRIu64 " %s\n", kernel_count, kernel_count + user_count, p->name);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);
	unsigned int k;

	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t address = qemu_plugin_insn_vaddr(insn);

		/* Before the instruction itself is counted. */
		for (k = 0; k < num_points; k++)
			if (point[k].address == address)
				qemu_plugin_register_vcpu_insn_exec_cb(insn, at_point, QEMU_PLUGIN_CB_NO_REGS,
								       &point[k]);
		qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64,
							   address >= kernel_base ? &kernel_count : &user_count,
							   1);
	}
}

static void at_exit(qemu_plugin_id_t id, void *data)
{
	fclose(out);
}

static int parse_points(char *text)
{
	char *one, *colon;

	for (one = strtok(text, "+"); one; one = strtok(NULL, "+")) {
		colon = strchr(one, ':');
		if (!colon || num_points == MAX_POINTS)
			return -1;
		*colon = '\0';
		snprintf(point[num_points].name, sizeof(point[0].name), "%s", one);
		point[num_points++].address = strtoull(colon + 1, NULL, 16);
	}
	return 0;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (!value)
			return -1;
		*value++ = '\0';
		if (!strcmp(argv[i], "out"))
			out = fopen(value, "w");
		else if (!strcmp(argv[i], "kernel"))
			kernel_base = strtoull(value, NULL, 16);
		else if (strcmp(argv[i], "points") || parse_points(value))
			return -1;
	}
	if (!out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, at_exit, NULL);
	return 0;
}
