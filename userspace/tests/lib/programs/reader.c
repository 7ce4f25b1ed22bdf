// SPDX-License-Identifier: MIT
/* Reads a capture with liblimn, runs it again on a device, and counts; of a file that is none it says why. */
#include <lib/capture/replay.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	const struct replay_options options = { .device = argc > 2 ? argv[2] : NULL, .last = UINT32_MAX };
	struct capture_event event = { .type = CAPTURE_EVENT_FILE };
	struct replay_totals totals;
	unsigned int jobs = 0, bos = 0;
	struct capture *capture;
	struct limn_error err;
	bool damaged;

	if (limn_capture_open(argv[1], &capture, &err))
		return fprintf(stderr, "%s\n", err.text), 1;
	while (event.type != CAPTURE_EVENT_END) {
		if (limn_capture_next(capture, &event, &err))
			return fprintf(stderr, "%s\n", err.text), 1;
		jobs += event.type == CAPTURE_EVENT_SUBMIT;
		bos += event.type == CAPTURE_EVENT_BO;
	}
	damaged = limn_capture_damage(capture);
	limn_capture_rewind(capture);
	if (options.device && limn_replay_run(capture, &limn_replay_on_device, &options, &totals, &err))
		return fprintf(stderr, "%s\n", err.text), 1;
	printf("%u jobs, %u BOs", jobs, bos);
	if (options.device)
		printf(", %u again, %u results differ", totals.submits, totals.different);
	puts(damaged ? ", damaged" : "");
	limn_capture_close(capture);
	return 0;
}
