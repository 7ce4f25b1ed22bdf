// SPDX-License-Identifier: MIT
/* limn top: who uses the GPU, and how much, as it goes on. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "tool/cmd.h"
#include "tool/json.h"
#include "tool/options.h"
#include "tool/trace/clients.h"
#include "tool/trace/counters.h"

#define LOOK_AGAIN	3	/* rounds from one search for new clients to the next */

struct options {
	double interval;	/* s */
	unsigned int rounds;
	bool counters, json;
};

static volatile sig_atomic_t over;

static void on_signal(int number)
{
	over = 1;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_use(const void *a, const void *b)
{
	const struct client *x = a, *y = b;
	uint64_t nx = 0, ny = 0;

	for (uint32_t e = 0; e < x->num_engines; e++)
		nx += x->engine[e].ns - x->before[e];
	for (uint32_t e = 0; e < y->num_engines; e++)
		ny += y->engine[e].ns - y->before[e];
	return nx > ny ? -1 : nx < ny ? 1 : x->pid - y->pid;
}

static void print_client(struct json *j, const struct client *c, double seconds)
{
	json_object(j, NULL);
	report(j, "{pid%7lld} {command%-16s} {driver%-8s} {memory_kib%9lld} KiB ", INT("pid", c->pid), STRING("command", c->command),
	       STRING("driver", c->driver), INT("memory_kib", (int64_t)(c->total >> 10)));
	json_object(j, "busy_percent");
	for (uint32_t e = 0; e < c->num_engines; e++)
		report(j, " {_name} {_busy}%", TEXT("_name", c->engine[e].name),
		       TEXT_INT("_busy", (int64_t)((double)(c->engine[e].ns - c->before[e]) / seconds / 1e7 + 0.5)));
	for (uint32_t e = 0; e < c->num_engines; e++)
		report(j, NULL, REAL(c->engine[e].name, (double)(c->engine[e].ns - c->before[e]) / seconds / 1e7));
	json_end_object(j);
	report(j, c->num_engines ? "\n" : " the driver tells no engines\n");
	json_end_object(j);
}

/* All clients' use of an engine together. */
static void print_engines(struct json *j, const struct clients *all, double seconds)
{
	json_object(j, "engines");
	for (size_t i = 0; i < all->num; i++) {
		for (uint32_t e = 0; e < all->list[i].num_engines; e++) {
			const char *name = all->list[i].engine[e].name, *driver = all->list[i].driver;
			uint64_t ns = 0;
			bool first = true;
			char key[64];

			for (size_t k = 0; k < all->num; k++)
				for (uint32_t n = 0; n < all->list[k].num_engines; n++) {
					const struct client *c = &all->list[k];

					if (strcmp(c->engine[n].name, name) || strcmp(c->driver, driver))
						continue;
					first &= k > i || (k == i && n >= e);
					ns += c->engine[n].ns - c->before[n];
				}
			if (!first)
				continue;
			snprintf(key, sizeof(key), "%s %s", driver, name);
			report(j, "{_key} {_busy}%  ", TEXT("_key", key), TEXT_INT("_busy", (int64_t)((double)ns / seconds / 1e7 + 0.5)));
			report(j, NULL, REAL(key, (double)ns / seconds / 1e7));
		}
	}
	json_end_object(j);
	report(j, all->num ? "\n" : "");
}

static void print_counters(struct json *j, const struct counters *c, double seconds)
{
	json_object(j, "counters_per_second");
	for (unsigned int n = 0; n < c->num; n++) {
		for (uint32_t i = 0; i < c->gpu[n].num; i++) {
			report(j, "{_value%12lld}/s {_name}\n", TEXT_INT("_value", (int64_t)((double)c->gpu[n].value[i] / seconds)),
			       TEXT("_name", c->gpu[n].name[i]));
			report(j, NULL, REAL(c->gpu[n].name[i], (double)c->gpu[n].value[i] / seconds));
		}
	}
	json_end_object(j);
}

static void print(const struct options *o, struct clients *all, const struct counters *counters, double seconds, bool screen)
{
	struct json j = { .to = stdout, .text = !o->json, .line = true };

	qsort(all->list, all->num, sizeof(*all->list), by_use);
	if (screen)
		fputs("\033[H\033[J", stdout);
	json_object(&j, NULL);
	print_engines(&j, all, seconds);
	json_array(&j, "clients");
	for (size_t i = 0; i < all->num; i++)
		print_client(&j, &all->list[i], seconds);
	json_end_array(&j);
	if (!all->num)
		report(&j, "no process has a GPU open\n");
	print_counters(&j, counters, seconds);
	json_end_object(&j);
	if (screen)
		fputs("q or Ctrl-C ends\n", stdout);
	fflush(stdout);
}

static void remember(struct clients *all)
{
	for (size_t i = 0; i < all->num; i++)
		for (uint32_t e = 0; e < all->list[i].num_engines; e++)
			all->list[i].before[e] = all->list[i].engine[e].ns;
}

/* False: somebody has typed q. */
static bool pause_for(double seconds, bool keys)
{
	struct pollfd p = { .fd = keys ? 0 : -1, .events = POLLIN };
	double until = now() + seconds, left;
	char key;

	while (!over && (left = until - now()) > 0) {
		if (poll(&p, 1, (int)(left * 1000) + 1) > 0 && (read(0, &key, 1) != 1 || key == 'q' || key == 'Q'))
			return false;
	}
	return !over;
}

static int top(const struct options *o, struct counters *counters)
{
	bool screen = isatty(1) && !o->json, keys = screen && isatty(0);
	struct clients all = { .list = NULL };
	struct termios was, raw;
	double begin;

	if (keys && !tcgetattr(0, &was)) {
		raw = was;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		tcsetattr(0, TCSANOW, &raw);
	}
	sigaction(SIGINT, &(struct sigaction){ .sa_handler = on_signal }, NULL);
	sigaction(SIGTERM, &(struct sigaction){ .sa_handler = on_signal }, NULL);
	clients_find(&all);
	remember(&all);
	counters_read(counters);
	begin = now();
	for (unsigned int n = 0; (!o->rounds || n < o->rounds) && pause_for(o->interval, keys) && !ferror(stdout); n++) {
		double end;

		clients_read(&all);
		counters_read(counters);
		end = now();
		print(o, &all, counters, end - begin, screen);
		remember(&all);
		begin = end;
		if (n % LOOK_AGAIN == 0 || !all.num) {
			size_t known = all.num;

			clients_find(&all);
			/* New ones count from now on. */
			for (size_t i = known; i < all.num; i++)
				for (uint32_t e = 0; e < all.list[i].num_engines; e++)
					all.list[i].before[e] = all.list[i].engine[e].ns;
		}
	}
	if (keys)
		tcsetattr(0, TCSANOW, &was);
	clients_free(&all);
	return EXIT_OK;
}

int cmd_top(int argc, char **argv)
{
	struct options o = { .interval = 1 };
	const struct option own[] = {
		{ .name = "--interval", .kind = OPTION_NUMBER, .to = &o.interval, .value = "S", .min = 0.05, .max = 3600,
		  .help = "from one look to the next; 1" },
		{ .name = "--rounds", .letter = "-n", .kind = OPTION_COUNT, .to = &o.rounds, .value = "N", .min = 1, .max = UINT32_MAX,
		  .help = "ends after so many; else q, Ctrl-C" },
		{ .name = "--counters", .kind = OPTION_FLAG, .to = &o.counters,
		  .help = "the GPU's own counters, where the driver is limn; it needs root, and jobs of a Vivante wait for each other" },
		OPTION_JSON(&o.json),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "top", .files = "", .options = own,
		.about = "Shows, as it goes on, each process that has a GPU open: how busy it keeps each engine, how much memory\n"
			 "it has, from the kernel's fdinfo; of other users' processes only root sees that. With --json a line\n"
			 "for each round.\n",
		.example = "limn top --counters",
	};
	struct counters counters = { .num = 0 };
	struct limn_error err;
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (o.counters && counters_open(&counters, &err))
		return failed(EXIT_DEVICE, "%s", err.text);
	status = top(&o, &counters);
	counters_close(&counters);
	return status;
}
