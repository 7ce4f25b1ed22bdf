// SPDX-License-Identifier: MIT
/*
 * limn-model: the virtual GPU as a process of its own, under a UML kernel.
 *
 * Started by the kernel's user half (kernel/limn_uml_user.c) with a mailbox,
 * the file that is the guest's RAM, and a pipe for interrupts. Also prints
 * what a device tree needs to know: --dts GPU, --list.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "model/carriers/uml/dts.h"
#include "model/carriers/uml/mailbox.h"
#include "model/model.h"

#define MAX_REPORTS	2000	/* a run that goes wild must not fill memory */
#define DONE_EVERY	128	/* entries between two updates of mailbox.done */

/* One GPU of the machine. */
struct part {
	struct server *server;
	struct model *model;
	struct dts_gpu place;
};

struct server {
	struct limn_mbox *mbox;
	struct part part[DTS_MAX_GPUS];
	unsigned int num_parts;
	unsigned int seq;	/* number of the newest entry consumed */
	int irq_fd, report_fd, stats_fd, activity_fd;
	unsigned int reports;
	unsigned int spins;	/* rounds without work before sleeping; 1000 take what a wake costs, some 35 us */
	bool quit;
};

/* Called from within model_*(): the kernel is told of rising lines only; it looks again itself. */
static void carrier_irq(void *ctx, unsigned int line, bool level)
{
	const struct part *part = ctx;
	struct server *server = part->server;
	struct limn_mbox *mbox = server->mbox;
	unsigned int bit = 1u << (part->place.line + line);

	if (!level) {
		__atomic_fetch_and(&mbox->levels, ~bit, __ATOMIC_SEQ_CST);
		return;
	}
	if (__atomic_fetch_or(&mbox->levels, bit, __ATOMIC_SEQ_CST) & bit)
		return;
	if (__atomic_exchange_n(&mbox->kicked, 1, __ATOMIC_SEQ_CST))
		return;
	/* EAGAIN means a full pipe: the kernel will come anyway. */
	if (write(server->irq_fd, "", 1) < 0 && errno != EAGAIN)
		_exit(3);
}

static void carrier_report(void *ctx, const char *unit, const char *text)
{
	struct server *server = ((const struct part *)ctx)->server;

	if (server->report_fd < 0 || ++server->reports > MAX_REPORTS)
		return;
	dprintf(server->report_fd, "%s: %s\n", unit, text);
	if (server->reports == MAX_REPORTS)
		dprintf(server->report_fd, "(more reports are left out)\n");
}

/* A line of the file that limn trace reads: when (the processor's clock, which the guest has too), what, which part. */
static void carrier_activity(void *ctx, const char *name, enum model_activity what, const char *text)
{
	const struct part *part = ctx;

	dprintf(part->server->activity_fd, "T %llu %c %s/%s %s\n", (unsigned long long)__builtin_ia32_rdtsc(), "BEI"[what],
		part->place.gpu->name, name, text ? text : "");
}

/* Of all GPUs together. */
static void get_stats(const struct server *server, struct model_stats *sum)
{
	uint64_t *to = (uint64_t *)sum;

	memset(sum, 0, sizeof(*sum));
	for (unsigned int i = 0; i < server->num_parts; i++) {
		struct model_stats stats;
		const uint64_t *from = (const uint64_t *)&stats;

		model_get_stats(server->part[i].model, &stats);
		for (size_t k = 0; k < sizeof(stats) / sizeof(*from); k++)
			to[k] += from[k];
	}
}

static const struct part *part_at(const struct server *server, uint32_t offset)
{
	unsigned int i = server->num_parts - 1;

	while (i && offset < server->part[i].place.offset)
		i--;
	return &server->part[i];
}

static unsigned int collect(const struct server *server, struct limn_mbox_counter *counter)
{
#define STAT(name, field) { name, offsetof(struct model_stats, field) }
	static const struct {
		const char *name;
		size_t at;
	} stat[] = {
		STAT("gp_jobs", gp_jobs), STAT("pp_jobs", pp_jobs),
		STAT("gp_reads", reg_reads[MODEL_GP]), STAT("pp_reads", reg_reads[MODEL_PP]),
		STAT("mmu_reads", reg_reads[MODEL_MMU]), STAT("other_reads", reg_reads[MODEL_OTHER]),
		STAT("gp_writes", reg_writes[MODEL_GP]), STAT("pp_writes", reg_writes[MODEL_PP]),
		STAT("mmu_writes", reg_writes[MODEL_MMU]), STAT("other_writes", reg_writes[MODEL_OTHER]),
		STAT("vertices", vertices), STAT("triangles", triangles), STAT("fragments", fragments), STAT("texels", texels),
		STAT("tiles", tiles),
		STAT("commands", commands), STAT("events", events), STAT("draws", draws), STAT("blits", blits),
		STAT("reports", reports), STAT("powered_units", powered),
		STAT("gp_busy_ns", busy_ns[MODEL_BUSY_GP]), STAT("pp_busy_ns", busy_ns[MODEL_BUSY_PP]),
		STAT("fe_busy_ns", busy_ns[MODEL_BUSY_FE]),
	};
#undef STAT
	const unsigned int num = sizeof(stat) / sizeof(stat[0]);
	struct model_stats stats;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	get_stats(server, &stats);
	for (unsigned int n = 0; n < num; n++) {
		snprintf(counter[n].name, sizeof(counter[n].name), "%s", stat[n].name);
		counter[n].value = *(const uint64_t *)((const char *)&stats + stat[n].at);
	}
	/* By which it is counted, and which the guest's stays behind: see limn_uml_user.c. */
	counter[num] = (struct limn_mbox_counter){ "clock_ns", now.tv_sec * 1000000000ull + now.tv_nsec };
	return num + 1;
}

static void write_stats(const struct server *server)
{
	struct limn_mbox_counter counter[LIMN_MBOX_COUNTERS];
	unsigned int n, i;

	if (server->stats_fd < 0)
		return;
	n = collect(server, counter);
	dprintf(server->stats_fd, "{");
	for (i = 0; i < n; i++)
		dprintf(server->stats_fd, "%s\"%s\": %llu", i ? ", " : "", counter[i].name,
			counter[i].value);
	dprintf(server->stats_fd, "}\n");
}

static unsigned int answer_to(struct server *server, const struct limn_mbox_slot *slot)
{
	const struct part *part;

	switch (slot->op) {
	case LIMN_MBOX_READ:
		part = part_at(server, slot->offset);
		return model_read32(part->model, slot->offset - part->place.offset);
	case LIMN_MBOX_STATS:
		collect(server, server->mbox->counter);
		return 0;
	case LIMN_MBOX_QUIT:
		write_stats(server);
		server->quit = true;
		return 0;
	default:
		return 0;
	}
}

/* Sleeps of the kernel are rare and bounded, so a stale "not waiting" costs 1 ms at most. */
static void wake_kernel(struct limn_mbox *mbox)
{
	if (!__atomic_load_n(&mbox->waiting, __ATOMIC_SEQ_CST))
		return;
	__atomic_fetch_add(&mbox->wakeups, 1, __ATOMIC_SEQ_CST);
	syscall(__NR_futex, &mbox->wakeups, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void handle(struct server *server, const struct limn_mbox_slot *slot)
{
	struct limn_mbox *mbox = server->mbox;
	const struct part *part;
	unsigned int value, i;

	switch (slot->op) {
	case LIMN_MBOX_WRITE:
		part = part_at(server, slot->offset);
		model_write32(part->model, slot->offset - part->place.offset, slot->value);
		return;
	case LIMN_MBOX_CLOCKS:
		for (i = 0; i < server->num_parts; i++)
			model_set_clocks(server->part[i].model, slot->value & LIMN_CLOCK_BUS,
					 slot->value & LIMN_CLOCK_CORE);
		return;
	case LIMN_MBOX_RESET:
		for (i = 0; i < server->num_parts; i++)
			model_set_reset(server->part[i].model, slot->value);
		return;
	default:
		value = answer_to(server, slot);
		__atomic_store_n(&mbox->done, slot->seq, __ATOMIC_RELEASE);
		__atomic_store_n(&mbox->answer, (unsigned long long)slot->seq << 32 | value,
				 __ATOMIC_RELEASE);
		wake_kernel(mbox);
	}
}

/* Handles all entries that are there; false when there were none. */
static bool service(struct server *server)
{
	struct limn_mbox *mbox = server->mbox;
	bool any = false;

	while (!server->quit) {
		unsigned int next = server->seq + 1;
		const struct limn_mbox_slot *slot = &mbox->slot[next % LIMN_MBOX_SLOTS];

		if (__atomic_load_n(&slot->seq, __ATOMIC_ACQUIRE) != next)
			break;
		handle(server, slot);
		server->seq = next;
		any = true;
		if (next % DONE_EVERY == 0) {
			__atomic_store_n(&mbox->done, next, __ATOMIC_RELEASE);
			wake_kernel(mbox);
		}
	}
	return any;
}

/* False when there was nothing to handle, so that it slept. */
static bool sleep_until_asked(struct server *server, long nanoseconds)
{
	struct timespec timeout = { .tv_nsec = nanoseconds };
	struct limn_mbox *mbox = server->mbox;
	bool any;

	__atomic_store_n(&mbox->done, server->seq, __ATOMIC_RELEASE);
	__atomic_store_n(&mbox->asleep, 1, __ATOMIC_SEQ_CST);
	wake_kernel(mbox);
	/* Makes the kernel's last entry visible: see mailbox.h, fence. */
	if (!mbox->fence)
		syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
	any = service(server);
	if (!any)
		syscall(__NR_futex, &mbox->asleep, FUTEX_WAIT, 1, &timeout, NULL, 0);
	__atomic_store_n(&mbox->asleep, 0, __ATOMIC_SEQ_CST);
	return any;
}

static bool polls(const struct server *server)
{
	bool any = false;

	for (unsigned int i = 0; i < server->num_parts; i++)
		any |= model_polls(server->part[i].model);
	return any;
}

static bool step(const struct server *server)
{
	bool busy = false;

	for (unsigned int i = 0; i < server->num_parts; i++)
		busy |= model_step(server->part[i].model);
	return busy;
}

/*
 * How long to sleep when nothing is to do. A unit that watches memory (an idle
 * Vivante front end) must look again soon: the driver starts it by changing a
 * command there. The longer nothing happens, the longer it may take.
 */
static long nap(const struct server *server, unsigned int naps)
{
	const long shortest = 50000, longest = 400000;	/* ns */

	if (!polls(server))
		return 200000000;
	return naps < 3 ? shortest << naps : longest;
}

static void serve(struct server *server, pid_t parent)
{
	unsigned int idle = 0, naps = 0;

	while (!server->quit) {
		bool busy = service(server);

		busy |= step(server);
		if (busy) {
			idle = 0;
			naps = 0;
		} else if (++idle < (naps && polls(server) ? 1 : server->spins)) {
			if (idle > 256)
				__builtin_ia32_pause();
		} else {
			naps = sleep_until_asked(server, nap(server, naps)) ? 0 : naps + 1;
			idle = 0;
			/* The death signal should have come first. */
			if (getppid() != parent)
				return;
		}
	}
}

struct options {
	struct model_config config;
	int mailbox_fd, ram_fd, dma_fd;
	uint64_t ram_start, ram_size;
	const char *dts, *faults;
	bool list;
};

static int parse(int argc, char **argv, struct options *options, struct server *server)
{
	static const struct option table[] = {
		{ "gpu", required_argument, NULL, 'g' },
		{ "seed", required_argument, NULL, 's' },
		{ "strict", no_argument, NULL, 'S' },
		{ "fault", required_argument, NULL, 'F' },
		{ "mailbox-fd", required_argument, NULL, 'm' },
		{ "ram-fd", required_argument, NULL, 'r' },
		{ "ram-start", required_argument, NULL, 'a' },
		{ "ram-size", required_argument, NULL, 'z' },
		{ "irq-fd", required_argument, NULL, 'i' },
		{ "dma-fd", required_argument, NULL, 'D' },
		{ "report-fd", required_argument, NULL, 'R' },
		{ "stats-fd", required_argument, NULL, 'T' },
		{ "activity-fd", required_argument, NULL, 'A' },
		{ "spins", required_argument, NULL, 'n' },
		{ "dts", required_argument, NULL, 'd' },
		{ "faults", required_argument, NULL, 'f' },
		{ "list", no_argument, NULL, 'l' },
		{ }
	};
	int c;

	while ((c = getopt_long(argc, argv, "", table, NULL)) != -1) {
		switch (c) {
		case 'g': options->config.gpu = optarg; break;
		case 's': options->config.seed = strtoull(optarg, NULL, 0); break;
		case 'S': options->config.strict = true; break;
		case 'F': options->config.fault = optarg; break;
		case 'm': options->mailbox_fd = atoi(optarg); break;
		case 'r': options->ram_fd = atoi(optarg); break;
		case 'a': options->ram_start = strtoull(optarg, NULL, 0); break;
		case 'z': options->ram_size = strtoull(optarg, NULL, 0); break;
		case 'i': server->irq_fd = atoi(optarg); break;
		case 'D': options->dma_fd = atoi(optarg); break;
		case 'R': server->report_fd = atoi(optarg); break;
		case 'T': server->stats_fd = atoi(optarg); break;
		case 'A': server->activity_fd = atoi(optarg); break;
		case 'n': server->spins = strtoul(optarg, NULL, 0); break;
		case 'd': options->dts = optarg; break;
		case 'f': options->faults = optarg; break;
		case 'l': options->list = true; break;
		default: return -EINVAL;
		}
	}
	return optind == argc ? 0 : -EINVAL;
}

static bool print_fault(void *ctx, const char *fault)
{
	puts(fault);
	return false;
}

/* A list of GPUs, or a GPU's device tree or defects: for scripts. */
static int describe(const struct options *options)
{
	/* Two devices of different drivers; any other pair can be asked for as well. */
	static const char pair[] = "mali-400-mp2+gc2000";
	struct dts_gpu place[DTS_MAX_GPUS];
	const struct model_gpu *gpu;
	unsigned int i;

	if (options->list) {
		for (i = 0; (gpu = model_gpu_at(i)); i++)
			printf("%s\n", gpu->name);
		printf("%s\n", pair);
		return 0;
	}
	i = dts_place(options->dts ? options->dts : options->faults, place);
	if (!i) {
		fprintf(stderr, "limn-model: no GPU '%s'; limn-model --list prints all\n",
			options->dts ? options->dts : options->faults);
		return 2;
	}
	if (options->dts)
		dts_print(stdout, options->dts, place, i);
	while (!options->dts && i)
		model_faults(place[--i].gpu->name, print_fault, NULL);
	return 0;
}

static int create(const struct options *options, struct server *server)
{
	struct model_config config = options->config;
	struct dts_gpu place[DTS_MAX_GPUS];
	unsigned int i, num = dts_place(config.gpu, place);
	int err = num ? 0 : -ENODEV;

	for (i = 0; i < num && !err; i++) {
		struct part *part = &server->part[i];

		*part = (struct part){ .server = server, .place = place[i] };
		config.gpu = place[i].gpu->name;
		/* Of two GPUs the defect is that one's which can have it. */
		config.fault = options->config.fault;
		if (num > 1 && config.fault && !model_knows_faults(config.gpu, config.fault))
			config.fault = NULL;
		config.carrier.ctx = part;
		err = model_create(&config, &part->model);
	}
	server->num_parts = num;
	return err;
}

static int attach(struct options *options, struct server *server)
{
	struct model_config *config = &options->config;

	server->mbox = mmap(NULL, sizeof(*server->mbox), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_POPULATE, options->mailbox_fd, 0);
	if (server->mbox == MAP_FAILED || server->mbox->magic != LIMN_MBOX_MAGIC)
		return -errno;
	config->ram.base = mmap(NULL, options->ram_size, PROT_READ | PROT_WRITE, MAP_SHARED,
				options->ram_fd, options->ram_start);
	if (config->ram.base == MAP_FAILED)
		return -errno;
	config->ram.dma = options->ram_start;
	config->ram.size = options->ram_size;
	config->mapped = mmap(NULL, config->ram.size / MODEL_RAM_PAGE * sizeof(*config->mapped),
			      PROT_READ, MAP_SHARED, options->dma_fd, 0);
	if (config->mapped == MAP_FAILED)
		return -errno;
	config->carrier.irq = carrier_irq;
	config->carrier.report = carrier_report;
	config->carrier.activity = server->activity_fd < 0 ? NULL : carrier_activity;
	return create(options, server);
}

int main(int argc, char **argv)
{
	struct server server = { .irq_fd = -1, .report_fd = -1, .stats_fd = -1, .activity_fd = -1, .spins = 1000 };
	struct options options = { .mailbox_fd = -1, .ram_fd = -1, .dma_fd = -1 };
	pid_t parent = getppid();
	sigset_t none;
	cpu_set_t cpus;
	int err;

	/* The kernel half blocked them all, and a shell's Ctrl-C is the testbed's business. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);

	if (parse(argc, argv, &options, &server)) {
		fprintf(stderr, "usage: limn-model --list | --dts GPU | --faults GPU (the rest is the carrier's)\n");
		return 2;
	}
	if (options.list || options.dts || options.faults)
		return describe(&options);
	if (options.mailbox_fd < 0 || options.ram_fd < 0 || !options.config.gpu) {
		fprintf(stderr, "limn-model: the UML kernel starts this program: see scripts/testbed\n");
		return 2;
	}

	if (!sched_getaffinity(0, sizeof(cpus), &cpus))
		options.config.threads = (unsigned int)CPU_COUNT(&cpus);
	/* On one CPU, spinning only keeps the kernel from running. */
	if (options.config.threads == 1)
		server.spins = 1;
	err = attach(&options, &server);
	if (err) {
		fprintf(stderr, "limn-model: %s: %s\n", options.config.gpu, strerror(-err));
		return 1;
	}
	serve(&server, parent);
	return 0;
}
