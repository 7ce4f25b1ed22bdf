// SPDX-License-Identifier: MIT
/*
 * The device tree of a guest, from the one description that the model has of
 * its GPU. Standard bindings for the GPU; the interrupt controller and the
 * clock-and-reset block are the carrier's (limn_uml_kern.c).
 */
#include <inttypes.h>
#include <string.h>
#include "model/carriers/uml/dts.h"

#define WINDOW_BASE	0xe0000000u	/* as in limn_uml_kern.c */
#define LEVEL_HIGH	4		/* IRQ_TYPE_LEVEL_HIGH */

unsigned int dts_place(const char *names, struct dts_gpu place[DTS_MAX_GPUS])
{
	uint32_t offset = 0;
	unsigned int line = 0, num;

	for (num = 0; *names; num++) {
		size_t len = strcspn(names, "+");
		char name[32];
		const struct model_gpu *gpu;

		if (num == DTS_MAX_GPUS || len >= sizeof(name))
			return 0;
		snprintf(name, sizeof(name), "%.*s", (int)len, names);
		gpu = model_gpu_find(name);
		if (!gpu)
			return 0;
		place[num] = (struct dts_gpu){ gpu, offset, line };
		offset += (gpu->devices ? gpu->devices : 1) * gpu->window;
		for (unsigned int i = 0; i < MODEL_MAX_IRQS && gpu->irq[i]; i++)
			line++;
		names += len + (names[len] == '+');
	}
	return num;
}

/* Device n of the GPU; the only one has all interrupts, with their names. */
static void print_device(FILE *file, const struct dts_gpu *place, unsigned int n, unsigned int label)
{
	const struct model_gpu *gpu = place->gpu;
	uint32_t base = WINDOW_BASE + place->offset + n * gpu->window;
	unsigned int i, first = gpu->devices ? n : 0, end = gpu->devices ? n + 1 : MODEL_MAX_IRQS;

	fprintf(file, "\n\tgpu%u: gpu@%" PRIx32 " {\n\t\tcompatible = \"%s\";\n"
		"\t\treg = <0x%" PRIx32 " 0x%" PRIx32 ">;\n", label, base, gpu->compatible, base, gpu->window);
	fprintf(file, "\t\tinterrupts =");
	for (i = first; i < end && gpu->irq[i]; i++)
		fprintf(file, "%s <%u %u>", i > first ? "," : "", place->line + i, LEVEL_HIGH);
	fprintf(file, ";\n");
	if (!gpu->devices) {
		fprintf(file, "\t\tinterrupt-names =");
		for (i = first; i < end && gpu->irq[i]; i++)
			fprintf(file, "%s \"%s\"", i > first ? "," : "", gpu->irq[i]);
		fprintf(file, ";\n");
	}
	fprintf(file, "\t\tclocks =");
	for (i = 0; i < MODEL_CLOCKS && gpu->clocks[i].name; i++)
		fprintf(file, "%s <&crg %u>", i ? "," : "", gpu->clocks[i].core);
	fprintf(file, ";\n\t\tclock-names =");
	for (i = 0; i < MODEL_CLOCKS && gpu->clocks[i].name; i++)
		fprintf(file, "%s \"%s\"", i ? "," : "", gpu->clocks[i].name);
	fprintf(file, ";\n");
	if (gpu->has_reset)
		fprintf(file, "\t\tresets = <&crg 0>;\n\t\toperating-points-v2 = <&opp>;\n");
	fprintf(file, "\t\t#cooling-cells = <2>;\n\t};\n");
}

void dts_print(FILE *file, const char *names, const struct dts_gpu *place, unsigned int num)
{
	/* Hz and microvolts: those of an Allwinner H3, the most common Mali-400 board. */
	static const unsigned int opp[][2] = {
		{ 120000000, 1000000 }, { 312000000, 1050000 },
		{ 432000000, 1100000 }, { 576000000, 1200000 },
	};
	unsigned int i, k, label = 0;

	fprintf(file, "/dts-v1/;\n\n/ {\n\tmodel = \"limn %s\";\n\tcompatible = \"limn,uml\";\n",
		names);
	fprintf(file, "\t#address-cells = <1>;\n\t#size-cells = <1>;\n\tinterrupt-parent = <&intc>;\n");
	fprintf(file, "\n\tintc: interrupt-controller {\n\t\tcompatible = \"limn,uml-intc\";\n"
		"\t\tinterrupt-controller;\n\t\t#address-cells = <0>;\n\t\t#interrupt-cells = <2>;\n\t};\n");
	fprintf(file, "\n\tcrg: clock-controller {\n\t\tcompatible = \"limn,uml-crg\";\n"
		"\t\t#clock-cells = <1>;\n\t\t#reset-cells = <1>;\n\t};\n");

	fprintf(file, "\n\topp: opp-table {\n\t\tcompatible = \"operating-points-v2\";\n");
	for (i = 0; i < sizeof(opp) / sizeof(opp[0]); i++)
		fprintf(file, "\t\topp-%u {\n\t\t\topp-hz = /bits/ 64 <%u>;\n"
			"\t\t\topp-microvolt = <%u>;\n\t\t};\n", opp[i][0], opp[i][0], opp[i][1]);
	fprintf(file, "\t};\n");

	for (k = 0; k < num; k++)
		for (i = 0; i < (place[k].gpu->devices ? place[k].gpu->devices : 1); i++)
			print_device(file, &place[k], i, label++);
	fprintf(file, "};\n");
}
