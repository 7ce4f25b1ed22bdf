// SPDX-License-Identifier: MIT
/* limn trace: the kernel's lines, of kernels before and after gpu_scheduler's events were renamed, and what becomes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tool/trace/timeline.h"

static void feed(struct traced *t, const char *const *lines)
{
	for (; *lines; lines++) {
		char text[400];

		snprintf(text, sizeof(text), "%s", *lines);
		traced_line(t, text);
	}
}

/* Linux 6.12, mainline lima: two jobs in one ring, the second waits for the first to end. */
static void old_names(void **state)
{
	static const char *const lines[] = {
		" a b [c]-d-27    [001] .....     1.000010: drm_sched_job: entity=0000000e, id=1, fence=0000000a, ring=pp, job count:0, hw job count:0",
		" a b [c]-d-27    [001] .....     1.000020: drm_sched_job: entity=0000000e, id=2, fence=0000000b, ring=pp, job count:0, hw job count:0",
		" kworker/u4:0-7  [000] .n...     1.000030: drm_run_job: entity=0000000e, id=1, fence=0000000a, ring=pp, job count:0, hw job count:1",
		" kworker/u4:0-7  [000] .n...     1.000035: drm_run_job: entity=0000000e, id=2, fence=0000000b, ring=pp, job count:0, hw job count:2",
		" <idle>-0        [000] d.h..     1.000050: drm_sched_process_job: fence=0000000a signaled",
		" <idle>-0        [000] d.h..     1.000090: drm_sched_process_job: fence=0000000b signaled",
		NULL,
	};
	struct traced t = { .pipe = -1 };

	feed(&t, lines);
	assert_int_equal(t.num_jobs, 2);
	assert_int_equal(t.lost, 0);
	assert_string_equal(t.jobs[0].command, "a b [c]-d");
	assert_int_equal(t.jobs[0].pid, 27);
	assert_string_equal(t.jobs[0].ring, "pp");
	assert_int_equal(t.jobs[0].queued, 1000010000);
	assert_int_equal(t.jobs[0].taken, 1000030000);
	assert_int_equal(t.jobs[0].started, 1000030000);
	assert_int_equal(t.jobs[0].ended, 1000050000);
	assert_int_equal(t.jobs[1].started, 1000050000);
	assert_int_equal(t.jobs[1].ended, 1000090000);
	traced_free(&t);
}

static void new_names(void **state)
{
	static const char *const lines[] = {
		" app-9     [000] .....    12.5: drm_sched_job_queue: dev=e0000000.gpu, fence=4:1, ring=gp, job count:0, hw job count:0, client_id:3",
		" app-9     [000] .....    12.500100: drm_sched_job_queue: dev=e0000000.gpu, fence=4:1, ring=gp, job count:0, hw job count:0, client_id:3",
		" kworker/0:1-7 [000] .....    12.500200: drm_sched_job_run: dev=e0000000.gpu, fence=4:1, ring=gp, job count:0, hw job count:1, client_id:3",
		" <idle>-0  [000] d.h..    12.500300: drm_sched_job_done: fence=4:1 signaled",
		" <idle>-0  [000] d.h..    12.500400: drm_sched_job_done: fence=4:2 signaled",
		"CPU:0 [LOST 12 EVENTS]",
		"",
		NULL,
	};
	struct traced t = { .pipe = -1 };

	feed(&t, lines + 1);
	assert_int_equal(t.num_jobs, 1);
	assert_int_equal(t.lost, 2);
	assert_int_equal(t.jobs[0].ended - t.jobs[0].queued, 200000);
	traced_free(&t);
}

/* limn.ko: its events say when the hardware began, and how the job ended. */
static void limn_names(void **state)
{
	static const char *const lines[] = {
		" limn-28   [000] .n...     0.574378: limn_job_submit: pipe=gp job=7 fence=4:1 number=1",
		" limn-28   [000] .n...     0.574386: drm_sched_job: entity=0000000e, id=1, fence=0000000a, ring=gp, job count:0, hw job count:0",
		" kworker/u4:1-13  [000] .....  0.574418: drm_run_job: entity=0000000e, id=1, fence=0000000a, ring=gp, job count:0, hw job count:1",
		" kworker/u4:1-13  [000] d....  0.574431: limn_job_run: pipe=gp job=7 fence=4:1 number=1",
		" limn-28   [000] d.h..     0.574500: limn_mmu_fault: mmu=gpmmu job=7 address=00001000 write bus_id=1",
		" limn-28   [000] d.h..     0.574733: limn_job_done: pipe=gp job=7 ns=299520 error=-14",
		" limn-28   [000] d.h..     0.574735: drm_sched_process_job: fence=0000000a signaled",
		NULL,
	};
	struct traced t = { .pipe = -1 };
	struct timeline line = { .zero = 574000000, .end = 575000000 };
	char *text = NULL;
	size_t size;

	feed(&t, lines);
	assert_int_equal(t.num_jobs, 1);
	assert_int_equal(t.jobs[0].started, 574431000);
	assert_int_equal(t.jobs[0].ended, 574733000);
	assert_int_equal(t.jobs[0].error, -14);
	assert_int_equal(t.num_events, 1);

	line.to = open_memstream(&text, &size);
	timeline_begin(&line);
	timeline_jobs(&line, &t);
	timeline_end(&line);
	fclose(line.to);
	assert_non_null(strstr(text, "\"name\":\"limn (failed)\",\"pid\":1000001,\"tid\":1,\"ts\":431.000,\"dur\":302.000"));
	assert_non_null(strstr(text, "\"queue_us\":40.000,\"wait_us\":13.000,\"run_us\":302.000"));
	assert_non_null(strstr(text, "limn_mmu_fault: mmu=gpmmu job=7 address=00001000 write bus_id=1"));
	free(text);
	traced_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_names),
		cmocka_unit_test(new_names),
		cmocka_unit_test(limn_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
