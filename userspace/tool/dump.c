// SPDX-License-Identifier: MIT
/* limn decode DUMP: what all dumps have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "tool/dump.h"
#include "tool/json.h"
#include "tool/options.h"

void dump_print_code(struct json *j, const char *isa, const char *indent, const uint32_t *words, size_t count)
{
	char *text = limn_isa_disasm(limn_isa_find(isa), words, count);

	for (char *line = text, *end; text && j->text && *line; line = end + 1) {
		end = strchr(line, '\n');
		fprintf(j->to, "%s%.*s\n", indent, (int)(end - line), line);
	}
	if (text)
		report(j, "", STRING("code", text));
	free(text);
}

static void print_regions(struct json *j, const struct dump_job *job)
{
	char more[64] = "";

	json_array(j, "memory");
	for (size_t i = 0; i < job->num_regions; i++) {
		const struct dump_region *r = &job->regions[i];

		if (r->size != r->whole)
			snprintf(more, sizeof(more), ", %llu in the dump", (unsigned long long)r->size);
		json_object(j, NULL);
		report(j, "{_kind%-8s} 0x{va} {size%10lld} bytes{_heap}{_comma}{label}{_more}\n",
		       STRING("kind", r->stream ? "stream" : r->heap ? "heap" : "bo"), STRING("label", r->label),
		       HEX("va", r->va), INT("size", r->whole), INT("in_dump", r->size),
		       TEXT("_kind", r->stream ? "stream" : "BO"), TEXT("_heap", r->heap ? ", heap" : ""),
		       TEXT("_comma", r->label[0] ? ", " : ""), TEXT("_more", r->size != r->whole ? more : ""));
		json_end_object(j);
	}
	json_end_array(j);
}

static void print_job(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	bool told = !dump->info;	/* else the text has it from there */
	struct json *j = o->json;

	json_object(j, NULL);
	if (job->process[0])
		report(j, told ? "process: {process}\n" : "", STRING("process", job->process));
	if (job->pid)
		report(j, told ? "pid: {pid}\n" : "", INT("pid", job->pid));
	if (!dump->vivante && (job->queue == 0 || job->queue == 1))
		report(j, told ? "queue: {queue}\n" : "", STRING("queue", job->queue ? "pp" : "gp"));
	print_regions(j, job);
	(dump->vivante ? dump_print_vivante : dump_print_utgard)(dump, job, o);
	json_end_object(j);
}

/* The kernel's lines of "key: value"; a line of another kind has no value. */
static void print_info(struct json *j, const char *info)
{
	json_array(j, "info");
	report(j, "{_info}", TEXT("_info", info ? info : ""));
	while (info && *info && !j->text) {
		const char *end = strchr(info, '\n'), *colon = strchr(info, ':');
		size_t len = end ? (size_t)(end - info) : strlen(info);

		json_object(j, NULL);
		if (colon && colon < info + len) {
			json_bytes(j, "key", info, colon - info);
			colon += 1 + (colon[1] == ' ');
			json_bytes(j, "value", colon, info + len - colon);
		} else {
			json_bytes(j, "key", info, len);
			report(j, "", NONE("value"));
		}
		json_end_object(j);
		info = end ? end + 1 : NULL;
	}
	json_end_array(j);
}

static void print_dump(const struct dump *dump, size_t size, const struct dump_options *o)
{
	struct json *j = o->json;

	json_object(j, NULL);
	report(j, "dump: {format}, {bytes} bytes{_partial}\n", STRING("format", dump->format),
	       STRING("family", dump->vivante ? "vivante" : "utgard"), INT("bytes", size),
	       BOOL("complete", !dump->partial), TEXT("_partial", dump->partial ? ", incomplete" : ""));
	print_info(j, dump->info);
	if (dump->error)
		report(j, "meaning: {meaning}\n", INT("error", dump->error), STRING("meaning", strerror(-dump->error)));
	if (o->all)
		json_array(j, "registers");
	for (size_t i = 0; i < dump->num_regs && o->all; i++) {
		json_object(j, NULL);
		report(j, "{unit%-8s} register {offset%05llx} = {value}\n", STRING("unit", dump->regs[i].unit),
		       HEX("offset", dump->regs[i].offset), HEX("value", dump->regs[i].value));
		json_end_object(j);
	}
	if (o->all)
		json_end_array(j);
	json_array(j, "jobs");
	for (size_t i = 0; i < dump->num_jobs; i++) {
		if (dump->num_jobs > 1)
			report(j, "{_gap}job {_i} of {_n}\n", TEXT("_gap", i ? "\n" : ""), TEXT_INT("_i", i + 1),
			       TEXT_INT("_n", dump->num_jobs));
		print_job(dump, &dump->jobs[i], o);
	}
	if (!dump->num_jobs)
		report(j, "no job in it\n");
	json_end_array(j);
	json_end_object(j);
}

int dump_print(const char *path, const void *data, size_t size, const struct dump_options *o)
{
	char error[160] = "";
	struct dump_options options = *o;
	struct dump_source *source = NULL;
	struct dump dump;
	bool ok = dump_read(data, size, &dump, error, sizeof(error));

	if (!ok)
		failed(EXIT_INPUT, "%s: %s", path, error);
	if (ok && o->job) {
		options.source = source = dump_source_open(path, &dump, o->job);
		ok = source;
	}
	if (ok)
		print_dump(&dump, size, &options);
	dump_source_free(source);
	dump_free(&dump);
	return ok && !ferror(stdout) ? 0 : 1;
}
