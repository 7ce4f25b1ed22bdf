// SPDX-License-Identifier: MIT
/*
 * libFuzzer entry of the job parser: any bytes are a job, or get messages of one line each with a
 * place; never anything else.
 */
#include <stdlib.h>
#include <string.h>

#include "tool/job/job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const defines[] = { "n=3", "size=7" };
	const struct job_options options = { .defines = defines, .num_defines = size & 1 ? 2 : 0, .frame = size };
	struct messages messages = { .strict = size & 2 };
	char *text = malloc(size + 1), *shown = NULL;
	size_t length;
	struct job *job = NULL;
	FILE *to;
	int ret;

	memcpy(text, data, size);
	text[size] = 0;
	ret = job_parse("userspace/tests/jobs/fuzz.limn", text, &options, &job, &messages);
	if (!job || (ret && !messages.errors) || (!ret && messages.errors))
		abort();
	for (size_t i = 0; i < messages.count; i++)
		if (strchr(messages.list[i].text, '\n'))
			abort();
	to = open_memstream(&shown, &length);
	messages_print(&messages, to);
	messages_json(&messages, to);
	fclose(to);
	free(shown);
	messages_free(&messages);
	job_free(job);
	free(text);
	return 0;
}
