// SPDX-License-Identifier: MIT
/* limn decode DUMP: what all dumps have. */
#include <stdio.h>
#include <string.h>

#include "tool/dump.h"
#include "tool/json.h"

static const char *queue_name(const struct dump *dump, const struct dump_job *job)
{
	static const char *const queues[] = { "gp", "pp" };

	return !dump->vivante && job->queue >= 0 && job->queue < 2 ? queues[job->queue] : NULL;
}

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
	const char *queue = queue_name(dump, job);

	if (!dump->info) {
		if (job->process[0])
			printf("process: %s\n", job->process);
		if (job->pid)
			printf("pid: %d\n", job->pid);
		if (queue)
			printf("queue: %s\n", queue);
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

static void print_text(const struct dump *dump, size_t size, const struct dump_options *o)
{
	printf("dump: %s, %zu bytes%s\n", dump->format, size, dump->partial ? ", incomplete" : "");
	if (dump->info)
		fputs(dump->info, stdout);
	if (dump->error)
		printf("meaning: %s\n", strerror(-dump->error));
	if (o->all)
		print_registers(dump);
	for (size_t i = 0; i < dump->num_jobs; i++) {
		if (dump->num_jobs > 1)
			printf("%sjob %zu of %zu\n", i ? "\n" : "", i + 1, dump->num_jobs);
		print_job(dump, &dump->jobs[i], o);
	}
	if (!dump->num_jobs)
		printf("no job in it\n");
}

/* --- The same as JSON ----------------------------------------------------------- */

/* The kernel's lines of "key: value"; a line of another kind has no value. */
static void json_info(struct json *j, const char *info)
{
	json_array(j, "info");
	while (info && *info) {
		const char *end = strchr(info, '\n'), *colon = strchr(info, ':');
		size_t len = end ? (size_t)(end - info) : strlen(info);

		json_object(j, NULL);
		if (colon && colon < info + len) {
			json_bytes(j, "key", info, colon - info);
			colon += 1 + (colon[1] == ' ');
			json_bytes(j, "value", colon, info + len - colon);
		} else {
			json_bytes(j, "key", info, len);
			json_null(j, "value");
		}
		json_end_object(j);
		info = end ? end + 1 : NULL;
	}
	json_end_array(j);
}

static void json_registers(struct json *j, const struct dump *dump)
{
	json_array(j, "registers");
	for (size_t i = 0; i < dump->num_regs; i++) {
		json_object(j, NULL);
		json_string(j, "unit", dump->regs[i].unit);
		json_hex(j, "offset", dump->regs[i].offset);
		json_hex(j, "value", dump->regs[i].value);
		json_end_object(j);
	}
	json_end_array(j);
}

static void json_job(struct json *j, const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	const char *queue = queue_name(dump, job);

	json_object(j, NULL);
	if (job->process[0])
		json_string(j, "process", job->process);
	if (job->pid)
		json_int(j, "pid", job->pid);
	if (queue)
		json_string(j, "queue", queue);
	json_array(j, "memory");
	for (size_t i = 0; i < job->num_regions; i++) {
		const struct dump_region *r = &job->regions[i];

		json_object(j, NULL);
		json_string(j, "kind", r->stream ? "stream" : r->heap ? "heap" : "bo");
		json_string(j, "label", r->label);
		json_hex(j, "va", r->va);
		json_int(j, "size", r->whole);
		json_int(j, "in_dump", r->size);
		json_end_object(j);
	}
	json_end_array(j);
	if (dump->vivante)
		dump_print_vivante(dump, job, o);
	else
		dump_print_utgard(dump, job, o);
	json_end_object(j);
}

static void print_json(const struct dump *dump, size_t size, const struct dump_options *o)
{
	struct json *j = o->json;

	json_object(j, NULL);
	json_string(j, "format", dump->format);
	json_string(j, "family", dump->vivante ? "vivante" : "utgard");
	json_int(j, "bytes", size);
	json_bool(j, "complete", !dump->partial);
	if (dump->error) {
		json_int(j, "error", dump->error);
		json_string(j, "meaning", strerror(-dump->error));
	}
	json_info(j, dump->info);
	if (o->all)
		json_registers(j, dump);
	json_array(j, "jobs");
	for (size_t i = 0; i < dump->num_jobs; i++)
		json_job(j, dump, &dump->jobs[i], o);
	json_end_array(j);
	json_end_object(j);
}

int dump_print(const char *path, const void *data, size_t size, const struct dump_options *o)
{
	char error[160] = "";
	struct dump dump;
	bool ok = dump_read(data, size, &dump, error, sizeof(error));

	if (!ok)
		fprintf(stderr, "limn decode: %s: %s\n", path, error);
	else if (o->json)
		print_json(&dump, size, o);
	else
		print_text(&dump, size, o);
	dump_free(&dump);
	return ok && !ferror(stdout) ? 0 : 1;
}
