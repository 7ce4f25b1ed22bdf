// SPDX-License-Identifier: MIT
/*
 * Runs random programs of ioctls on the driver: see --help. scripts/fuzz-driver
 * boots a kernel for it, and makes the program that it died of shorter.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "gpu_sys.h"
#include "igt.h"
#include "kcov.h"
#include "limn_bo.h"
#include "run.h"
#include "workers.h"

IGT_TEST_DESCRIPTION("Random programs of ioctls on the GPU's driver");

#define SAVED		8u	/* the last programs, with --save */
#define CORPUS		256u	/* programs that reached code which none before did */
#define WORKER_PROGRAMS	8u	/* then its workers end, with what they have open */
#define WITNESS_BOS	4
#define WITNESS_BYTES	65536u

struct options {
	uint64_t seed, calls;
	unsigned int seconds, repeat;
	const char *replay, *save;
};

static struct fuzz_shared shared = { .client.fd = -1, .other = -1 };
static uint64_t calls_made;
static char *corpus[CORPUS];
static unsigned int corpus_size, programs;
static bool has_vgem;

_Noreturn static void die(const char *what)
{
	printf("fuzz-driver: %s\n", what);
	exit(1);
}

/* --- The kernel's log ----------------------------------------------------- */

static int kmsg = -1;

static bool kernel_complained(void)
{
	static const char *const words[] = {
		"WARNING:", "BUG:", "KASAN:", "UBSAN:", "possible circular", "possible recursive",
		"inconsistent lock", "suspicious RCU", "blocked for more", "DMA-API:", "strict:",
	};
	char line[8192];
	ssize_t n;

	while ((n = read(kmsg, line, sizeof(line) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		line[n > 0 ? n : 0] = 0;
		for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			if (strstr(line, words[i])) {
				printf("fuzz-driver: kernel: %s", line);
				return true;
			}
		}
	}
	return false;
}

/* --- A client that does nothing ------------------------------------------- */

/* Nobody may write its memory, and the strict model reports whose job reads it. */
static struct gpu_bo witness[WITNESS_BOS];

static void witness_new(void)
{
	int fd;

	shared.isolated = shared.extensions &&
			  limn_param(shared.client.fd, DRM_LIMN_PARAM_ISOLATION) & DRM_LIMN_ISOLATION_MEMORY;
	if (!shared.isolated)
		return;
	fd = gpu_try_open(NULL);
	for (unsigned int i = 0; i < WITNESS_BOS; i++) {
		witness[i] = limn_bo_new(fd, WITNESS_BYTES, 0, 0);
		for (uint32_t w = 0; w < WITNESS_BYTES / 4; w++)
			witness[i].map[w] = fuzz_witness_word(w);
	}
}

static void witness_check(void)
{
	for (unsigned int i = 0; i < WITNESS_BOS && witness[i].map; i++) {
		for (uint32_t w = 0; w < WITNESS_BYTES / 4; w++) {
			if (witness[i].map[w] != fuzz_witness_word(w))
				++*shared.written;
		}
	}
	if (*shared.written)
		die("somebody wrote a witness' memory: another client's");
}

/* --- A program ------------------------------------------------------------ */

/* The last programs are kept, each in a file of its own. */
static void save(const struct options *o, const char *text)
{
	char name[4096];
	FILE *file;

	if (!o->save)
		return;
	snprintf(name, sizeof(name), "%s.%u", o->save, programs % SAVED);
	file = fopen(name, "w");
	if (!file)
		die("the program cannot be saved");
	fprintf(file, "# program %u\n%s", programs, text);
	fclose(file);
}

/* A GPU of the other family, where the machine has two, or vgem. */
static void open_other(void)
{
	struct drm_mode_create_dumb req = { .width = 64, .height = 64, .bpp = 32 };

	if (shared.other >= 0)
		close(shared.other);
	shared.other = gpu_try_open(shared.abi == FAMILY_LIMA ? "etnaviv" : "lima");
	if (shared.other < 0 && has_vgem)
		shared.other = drmOpen("vgem", NULL);
	if (shared.other < 0)
		return;
	for (unsigned int i = 0; i < 2; i++) {
		struct drm_limn_bo_create bo = { .size = 16384 };

		if (!ioctl(shared.other, DRM_IOCTL_MODE_CREATE_DUMB, &req))
			shared.other_bo[i] = req.handle;
		else if (!ioctl(shared.other, DRM_IOCTL_LIMN_BO_CREATE, &bo))
			shared.other_bo[i] = bo.handle;
	}
}

static char *to_text(const struct fuzz_program *p)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fuzz_print(p, out);
	fclose(out);
	return text;
}

/* The file that all processes of a program share, and what it made. */
static void open_shared(void)
{
	struct gpu_bo *const bos[] = { &shared.client.lists, &shared.client.target };

	for (unsigned int i = 0; i < 2; i++) {
		if (bos[i]->map)
			munmap(bos[i]->map, bos[i]->size);
	}
	close(shared.client.fd);
	/* An unbind leaves a file of a device that is gone. */
	for (int tries = 0; (shared.client.fd = gpu_try_open(shared.abi == FAMILY_LIMA ? "lima" : "etnaviv")) < 0; tries++) {
		if (tries == 100)
			die("the device is gone");
		gpu_bind();
		usleep(20000);
	}
	shared.client = fuzz_client_new(shared.abi, shared.extensions, shared.client.fd);
}

static void run_program(const struct options *o, const struct fuzz_program *p)
{
	char *text = to_text(p);

	save(o, text);
	open_other();	/* first: the library asks for the module of the node that was opened last */
	open_shared();
	sys_write(FUZZ_CGROUP "/memory.max", "max");
	*shared.ready = 0;
	shared.last = programs % WORKER_PROGRAMS == WORKER_PROGRAMS - 1;
	if (!workers_run(&shared, p))
		die("a process does not die");
	if (kernel_complained())
		die("the kernel complains");
	witness_check();
	calls_made += p->num_calls;
	programs++;
	if (kcov_new() && corpus_size < CORPUS)
		corpus[corpus_size++] = text;
	else
		free(text);
}

static void make_program(struct fuzz_program *p, struct fuzz_random *r)
{
	const char *text;
	char error[256];

	fuzz_forget();
	if (corpus_size && fuzz_below(r, 3)) {
		/* The latest are the least tried. */
		unsigned int at = fuzz_below(r, corpus_size);

		if (fuzz_below(r, 2))
			at = corpus_size - 1 - fuzz_below(r, corpus_size < 16 ? corpus_size : 16);
		text = corpus[at];
		if (fuzz_parse(p, corpus[at], &text, "corpus", error, sizeof(error)) < 0)
			die(error);
		fuzz_mutate(p, r, shared.abi, shared.extensions);
	} else {
		fuzz_generate(p, r, shared.abi, shared.extensions);
	}
}

/* --- Start ---------------------------------------------------------------- */

/* The text of a file, which is not empty. */
static char *load(const char *name)
{
	FILE *file = fopen(name, "r");
	unsigned int line = 1;
	char *text = NULL;
	size_t room = 0;
	ssize_t size;

	if (!file) {
		printf("fuzz-driver: %s: %s\n", name, strerror(errno));
		exit(1);
	}
	size = getdelim(&text, &room, 0, file);
	if (ferror(file)) {
		printf("fuzz-driver: %s: %s\n", name, strerror(errno));
		exit(1);
	}
	fclose(file);
	if (size <= 0)
		return strdup("");
	if (!text[size - 1]) {
		for (const char *c = text; *c; c++)
			line += *c == '\n';
		printf("fuzz-driver: %s:%u: a byte that is 0: this is no text\n", name, line);
		exit(1);
	}
	return text;
}

/* Its programs, one after the other; !runs: they are only read. */
static void replay(const struct options *o, const char *text, bool runs)
{
	const char *at = text;
	struct fuzz_program *p = fuzz_program_new();
	unsigned int n = 0;
	char error[512];
	int found;

	for (;; n++) {
		fuzz_forget();
		found = fuzz_parse(p, text, &at, o->replay, error, sizeof(error));
		if (found < 0)
			die(error);
		if (!found)
			break;
		if (runs)
			run_program(o, p);
	}
	if (!n) {
		printf("fuzz-driver: %s: there is no program in it\n", o->replay);
		exit(1);
	}
}

static void open_devices(void)
{
	drmVersionPtr version;

	shared.client.fd = gpu_try_open(NULL);
	if (shared.client.fd < 0)
		die("no render node of lima or etnaviv");
	version = drmGetVersion(shared.client.fd);
	shared.abi = strcmp(version->name, "lima") ? FAMILY_ETNAVIV : FAMILY_LIMA;
	shared.extensions = !strncmp(version->desc, "limn", 4);
	drmFreeVersion(version);
	/* It is bound, and that is refused; but the library learns where, which it cannot while an unbind has it gone. */
	gpu_bind();
	/* vgem maps longer segments than its device claims to support: the kernel's DMA checker warns of that. */
	has_vgem = access("/sys/kernel/debug/dma-api", F_OK) && !system("modprobe -q vgem");
	if (!has_vgem)
		printf("fuzz-driver: no vgem\n");
	if (mount("none", "/sys/fs/cgroup", "cgroup2", 0, NULL) && errno != EBUSY)
		printf("fuzz-driver: no cgroups: %s\n", strerror(errno));
	sys_write("/sys/fs/cgroup/cgroup.subtree_control", "+memory");
	mkdir(FUZZ_CGROUP, 0755);
	/* Sleeping allocations fail too, and no log line each. */
	shared.can_fail = !sys_write("/sys/kernel/debug/failslab/ignore-gfp-wait", "N");
	sys_write("/sys/kernel/debug/failslab/verbose", "0");
	sys_write("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "N");
	sys_write("/sys/kernel/debug/fail_page_alloc/verbose", "0");
	/* Else most time goes by in drm_file_update_pid(), which waits for a grace period when a file changes hands. */
	sys_write("/sys/kernel/rcu_expedited", "1");
	shared.counts = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	shared.ready = (unsigned int *)((char *)shared.counts + 65536 - 64);
	shared.written = shared.ready + 1;
	/* Behind the hangs of the program before. */
	gpu_be_patient(200);
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lseek(kmsg, 0, SEEK_END);
	kcov_init();
	witness_new();
}

static void report(int seconds)
{
	uint64_t calls = 0, done = 0;

	for (unsigned int i = 0; fuzz_callee(i); i++) {
		calls += shared.counts[i].calls;
		done += shared.counts[i].done;
		if (shared.counts[i].calls)
			printf("%-28s %10" PRIu64 " calls, %10" PRIu64 " succeeded, %8" PRIu64 " us each, %4" PRIu64 " s\n",
			       fuzz_callee(i)->name, shared.counts[i].calls, shared.counts[i].done,
			       shared.counts[i].ns / shared.counts[i].calls / 1000, shared.counts[i].ns / 1000000000);
	}
	printf("%u programs, %u cut short, %" PRIu64 " calls, %" PRIu64 " succeeded, in %d s", programs, workers_cut_short(), calls,
	       done, seconds);
	if (kcov_total())
		printf("; %u places of the driver reached, by %u programs kept", kcov_total(), corpus_size);
	printf("\n");
}

static const char usage[] =
	"fuzz-driver [OPTION]...\n"
	"\n"
	"Runs random programs of ioctls and more on the GPU's driver; prints what was called.\n"
	"\n"
	"  --seed N         of the programs (default 1)\n"
	"  --seconds N      stops after so long (default 10)\n"
	"  --calls N        stops after so many calls (default: none)\n"
	"  --save FILE      keeps the last programs in FILE.0 to FILE.7\n"
	"  --replay FILE    runs these programs, and no other\n"
	"  --repeat N       so many times (default 1)\n"
	"  --verbose        what becomes of each call\n"
	"  --list           what programs can call\n"
	"  --syzkaller ABI  the descriptions for syzkaller: lima, etnaviv or limn\n";

static uint64_t number(const char *option, const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);

	if (!*text || *end) {
		printf("fuzz-driver: --%s: '%s' is no number\n", option, text);
		exit(2);
	}
	return n;
}

static struct options parse_options(int argc, char **argv)
{
	static const struct option list[] = {
		{ "seed", 1, 0, 's' }, { "seconds", 1, 0, 't' }, { "calls", 1, 0, 'c' }, { "save", 1, 0, 'o' },
		{ "replay", 1, 0, 'r' }, { "repeat", 1, 0, 'n' }, { "verbose", 0, 0, 'v' }, { "list", 0, 0, 'l' }, { "syzkaller", 1, 0, 'z' }, { "help", 0, 0, 'h' }, { 0 },
	};
	struct options o = { .seed = 1, .seconds = 10, .calls = ~0ull, .repeat = 1 };
	int c, index;

	while ((c = getopt_long(argc, argv, "", list, &index)) >= 0) {
		switch (c) {
		case 's': o.seed = number("seed", optarg); break;
		case 't': o.seconds = number("seconds", optarg); break;
		case 'c': o.calls = number("calls", optarg); break;
		case 'n': o.repeat = number("repeat", optarg); break;
		case 'o': o.save = optarg; break;
		case 'r': o.replay = optarg; break;
		case 'v': shared.verbose = true; break;
		case 'l': fuzz_grammar_list(stdout); exit(0);
		case 'z':
			if (!fuzz_syzkaller(optarg, stdout))
				die("--syzkaller: lima, etnaviv or limn");
			exit(0);
		case 'h': fputs(usage, stdout); exit(0);
		default: exit(2);
		}
	}
	if (optind < argc) {
		printf("fuzz-driver: what is '%s'?\n", argv[optind]);
		exit(2);
	}
	return o;
}

int main(int argc, char **argv)
{
	const char *bad = fuzz_grammar_init();
	struct fuzz_program *p;
	struct fuzz_random r;
	char *text = NULL;
	struct options o;
	int begin;

	setlinebuf(stdout);
	if (bad)
		die(bad);
	o = parse_options(argc, argv);
	if (o.replay) {
		text = load(o.replay);
		replay(&o, text, false);
	}
	open_devices();
	p = fuzz_program_new();
	begin = workers_clock();
	if (o.replay) {
		for (unsigned int i = 0; i < o.repeat; i++)
			replay(&o, text, true);
	} else {
		r.state = o.seed;
		printf("fuzz-driver: seed %" PRIu64 "\n", o.seed);
		while (workers_clock() < begin + (int)o.seconds && calls_made < o.calls) {
			make_program(p, &r);
			run_program(&o, p);
		}
	}
	report(workers_clock() - begin);
	return 0;
}
