// SPDX-License-Identifier: MIT
/*
 * The device tree of a guest, from the one description that the model has of
 * its GPU. Standard bindings for the GPU; the interrupt controller and the
 * clock-and-reset block are the carrier's (limn_uml_kern.c).
 */
#include <inttypes.h>
#include "model/carriers/uml/dts.h"

#define WINDOW_BASE	0xe0000000u	/* as in limn_uml_kern.c */
#define LEVEL_HIGH	4		/* IRQ_TYPE_LEVEL_HIGH */

void dts_print(FILE *file, const struct model_gpu *gpu)
{
	/* Hz and microvolts: those of an Allwinner H3, the most common Mali-400 board. */
	static const unsigned int opp[][2] = {
		{ 120000000, 1000000 }, { 312000000, 1050000 },
		{ 432000000, 1100000 }, { 576000000, 1200000 },
	};
	unsigned int i, n;

	fprintf(file, "/dts-v1/;\n\n/ {\n\tmodel = \"limn %s\";\n\tcompatible = \"limn,uml\";\n",
		gpu->name);
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

	fprintf(file, "\n\tgpu@%x {\n\t\tcompatible = \"%s\";\n\t\treg = <0x%x 0x%" PRIx32 ">;\n",
		WINDOW_BASE, gpu->compatible, WINDOW_BASE, gpu->window);
	fprintf(file, "\t\tinterrupts =");
	for (i = 0, n = 0; i < MODEL_MAX_IRQS; i++)
		if (gpu->irq[i])
			fprintf(file, "%s <%u %u>", n++ ? "," : "", i, LEVEL_HIGH);
	fprintf(file, ";\n\t\tinterrupt-names =");
	for (i = 0, n = 0; i < MODEL_MAX_IRQS; i++)
		if (gpu->irq[i])
			fprintf(file, "%s \"%s\"", n++ ? "," : "", gpu->irq[i]);
	fprintf(file, ";\n\t\tclocks = <&crg 0>, <&crg 1>;\n\t\tclock-names = \"bus\", \"core\";\n");
	fprintf(file, "\t\tresets = <&crg 0>;\n\t\toperating-points-v2 = <&opp>;\n\t};\n};\n");
}
