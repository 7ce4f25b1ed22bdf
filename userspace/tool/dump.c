// SPDX-License-Identifier: MIT
/* limn decode DUMP: what all dumps have. */
#include <stdio.h>
#include <string.h>

#include "tool/dump.h"

static void print_regions(const struct dump_job *job)
{
	for (size_t i = 0; i < job->num_regions; i++) {
		const struct dump_region *r = &job->regions[i];

		printf("%-8s 0x%08llx %10llu bytes%s%s%s", r->stream ? "stream" : "BO", (unsigned long long)r->va,
		       (unsigned long long)r->whole, r->heap ? ", heap" : "", r->label[0] ? ", " : "", r->label);
		if (r->size != r->whole)
			printf(", %llu in the dump", (unsigned long long)r->size);
		printf("\n");
	}
}

static void print_job(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	static const char *const queues[] = { "gp", "pp" };

	if (!dump->info) {
		if (job->process[0])
			printf("process: %s\n", job->process);
		if (job->pid)
			printf("pid: %d\n", job->pid);
		if (job->queue == 0 || job->queue == 1)
			printf("queue: %s\n", queues[job->queue]);
	}
	print_regions(job);
	if (dump->vivante)
		dump_print_vivante(dump, job, o);
	else
		dump_print_utgard(dump, job, o);
}

static void print_registers(const struct dump *dump)
{
	for (size_t i = 0; i < dump->num_regs; i++)
		printf("%-8s register %05x = %08x\n", dump->regs[i].unit, dump->regs[i].offset, dump->regs[i].value);
}

int dump_print(const char *path, const void *data, size_t size, const struct dump_options *o)
{
	char error[160] = "";
	struct dump dump;
	bool ok = dump_read(data, size, &dump, error, sizeof(error));

	if (ok) {
		printf("dump: %s, %zu bytes%s\n", dump.format, size, dump.partial ? ", incomplete" : "");
		if (dump.info)
			fputs(dump.info, stdout);
		if (dump.error)
			printf("meaning: %s\n", strerror(-dump.error));
		if (o->all)
			print_registers(&dump);
		for (size_t i = 0; i < dump.num_jobs; i++) {
			if (dump.num_jobs > 1)
				printf("%sjob %zu of %zu\n", i ? "\n" : "", i + 1, dump.num_jobs);
			print_job(&dump, &dump.jobs[i], o);
		}
		if (!dump.num_jobs)
			printf("no job in it\n");
	} else {
		fprintf(stderr, "limn decode: %s: %s\n", path, error);
	}
	dump_free(&dump);
	return ok && !ferror(stdout) ? 0 : 1;
}
