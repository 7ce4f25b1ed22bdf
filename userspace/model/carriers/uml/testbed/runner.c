// SPDX-License-Identifier: MIT
/*
 * Runs one command in a UML guest: starts the kernel, hands it our standard
 * streams, waits, and tells from its log whether all went well.
 *
 * scripts/testbed has built what is missing and calls this with the paths.
 * Everything of a run is an open file without a name (memfd, unlinked RAM
 * file), and everything below dies with its parent, so that nothing is left
 * behind however a run ends.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "model/carriers/uml/testbed/testbed.h"

#define EXIT_SPLAT	125
#define EXIT_TIMEOUT	124
#define MAX_ARGS	64

static struct {
	/* given by scripts/testbed */
	const char *kernel, *modules, *init, *model, *dtb, *limn_ko;
	/* given by the user */
	const char *gpu, *driver, *seed, *cpus, *fault, *memory, *params, *stats, *log, *activity;
	const char *rw[64], *insmod[16], *stop_on[8];
	unsigned int rw_count, insmod_count, stop_on_count;
	bool strict, debug, smp, no_driver, unbound, verbose, keep_driver;
	unsigned int timeout;
	char **command;
} opt = { .gpu = "mali-400-mp2", .driver = "limn", .seed = "1" };

static struct {
	int orders, result, log, reports, stats, activity;
	pid_t kernel;
} run;

static void __attribute__((format(printf, 1, 2), noreturn)) die(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "testbed: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
	exit(EXIT_SPLAT);
}

static int memory_file(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0)
		die("memfd: %s", strerror(errno));
	return fd;
}

static char *slurp(int fd)
{
	struct stat st;
	char *text;
	ssize_t n;

	if (fstat(fd, &st) < 0 || !(text = malloc(st.st_size + 1)))
		die("out of memory");
	n = pread(fd, text, st.st_size, 0);
	text[n < 0 ? 0 : n] = 0;
	return text;
}

static void order(const char *key, const char *value, const char *params)
{
	if (dprintf(run.orders, "%s=%s%s%s", key, value, params ? "\n" : "", params ? params : "") < 0 ||
	    write(run.orders, "", 1) != 1)
		die("orders: %s", strerror(errno));
}

static void driver_orders(void)
{
	const char *params = opt.params ? opt.params : "";

	if (opt.no_driver)
		return;
	if (!strcmp(opt.driver, "limn")) {
		/* What any DRM render driver builds on is what lima builds on. */
		order("depends", "lima", NULL);
		order("insmod", opt.limn_ko, params);
		if (!opt.keep_driver)
			order("unload", "limn", NULL);
	} else {
		order("module", opt.driver, params);
	}
	if (opt.dtb && !opt.unbound)
		order("bound", opt.driver, NULL);
}

static void write_orders(void)
{
	extern char **environ;
	char cwd[PATH_MAX], path[PATH_MAX], variable[PATH_MAX + 16];
	unsigned int i;

	if (!getcwd(cwd, sizeof(cwd)))
		die("working directory: %s", strerror(errno));
	order("cwd", cwd, NULL);
	for (i = 0; i < opt.rw_count; i++)
		order("rw", opt.rw[i], NULL);
	order("modules", opt.modules, NULL);
	driver_orders();
	for (i = 0; i < opt.insmod_count; i++)
		order("insmod", opt.insmod[i], NULL);
	if (opt.debug)
		order("leaks", "1", NULL);
	for (i = 0; environ[i]; i++)
		order("env", environ[i], NULL);
	order("env", "LIMN_TESTBED=1", NULL);
	if (opt.activity && realpath(opt.activity, path)) {
		snprintf(variable, sizeof(variable), "LIMN_ACTIVITY=%s", path);
		order("env", variable, NULL);
	}
	for (i = 0; opt.command[i]; i++)
		order("arg", opt.command[i], NULL);
	lseek(run.orders, 0, SEEK_SET);
}

/* The guest's RAM is a file in $TMPDIR: memory if there is room for it. */
static void choose_ram_folder(void)
{
	unsigned long long need = strtoull(opt.memory, NULL, 0) << 20;
	struct statvfs shm;

	unsetenv("TMP");
	unsetenv("TEMP");
	if (!statvfs("/dev/shm", &shm) && (unsigned long long)shm.f_bavail * shm.f_frsize > need)
		setenv("TMPDIR", "/dev/shm", 1);
	else
		setenv("TMPDIR", "/tmp", 1);
}

/* A copy of a descriptor that the kernel inherits, out of the way of 0 to 2. */
static int inherited(int fd)
{
	int copy = fcntl(fd, F_DUPFD, 10);

	if (copy < 0)
		_exit(EXIT_SPLAT);
	return copy;
}

static int inherited_file(const char *path, int flags)
{
	int fd = open(path, flags);

	if (fd < 0) {
		fprintf(stderr, "testbed: %s: %s\n", path, strerror(errno));
		_exit(EXIT_SPLAT);
	}
	return inherited(fd);
}

static void exec_kernel(pid_t parent)
{
	char text[16][PATH_MAX], *argv[MAX_ARGS], activity[40] = "";
	int null = open("/dev/null", O_RDWR), fd[HOSTFD_COUNT], n = 0, argc = 0, i;
	const struct rlimit no_core = { 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_SPLAT);
	setsid();
	setrlimit(RLIMIT_CORE, &no_core);
	/* The same addresses, so the same DMA addresses, in every run. */
	personality(ADDR_NO_RANDOMIZE);

	for (i = 0; i < 3; i++)
		fd[i] = inherited(fcntl(i, F_GETFD) < 0 ? null : i);
	fd[HOSTFD_RESULT] = inherited(run.result);
	fd[HOSTFD_ORDERS] = inherited(run.orders);

#define ARG(...) do { snprintf(text[n], sizeof(text[n]), __VA_ARGS__); argv[argc++] = text[n++]; } while (0)
	argv[argc++] = (char *)opt.kernel;
	ARG("mem=%sM", opt.memory);
	argv[argc++] = "root=/dev/root";
	argv[argc++] = "rootfstype=hostfs";
	argv[argc++] = "ro";
	argv[argc++] = "panic=-1";
	if (opt.cpus) {
		ARG("ncpus=%s", opt.cpus);
		argv[argc++] = "seccomp=on";	/* without it there is one CPU only */
	}
	argv[argc++] = "hung_task_panic=1";
	ARG("init=\"%s\"", opt.init);
	ARG("limn_uml.fds=%d,%d,%d,%d,%d", fd[0], fd[1], fd[2], fd[3], fd[4]);
	if (opt.dtb) {
		ARG("dtb=/proc/self/fd/%d", inherited_file(opt.dtb, O_RDONLY));
		if (run.activity >= 0)
			snprintf(activity, sizeof(activity), ",--activity-fd,%d", inherited(run.activity));
		ARG("limn_uml.model=/proc/self/fd/%d", inherited_file(opt.model, O_PATH));
		ARG("limn_uml.args=--gpu,%s,--seed,%s,--report-fd,%d,--stats-fd,%d%s%s%s%s", opt.gpu, opt.seed,
		    inherited(run.reports), inherited(run.stats), opt.strict ? ",--strict" : "",
		    opt.fault ? ",--fault," : "", opt.fault ? opt.fault : "", activity);
	}
#undef ARG
	argv[argc] = NULL;

	dup2(null, 0);
	dup2(run.log, 1);
	dup2(run.log, 2);
	execv(opt.kernel, argv);
	_exit(EXIT_SPLAT);
}

/* What the kernel says when something is wrong with it, whoever is to blame. */
static const char splat_pattern[] =
	"WARNING:|BUG:|kernel BUG|KASAN:|UBSAN:|Oops|Kernel panic|INFO: task .* blocked for more than|"
	"INFO: trying to register non-static key|possible recursive locking|possible circular locking|"
	"inconsistent lock state|suspicious RCU usage|refcount_t:|DMA-API:.*(error|leak|device driver)|"
	"list_(add|del) corruption|ODEBUG:|rcu.*stall|Bad page|unregister_netdevice: waiting|"
	"workqueue lockup|scheduling while atomic|irq .*: nobody cared|\\*\\*\\* ERROR|"
	"segfault at .* in .*\\.ko";

/* The line of the log that says it first, or NULL. */
static char *find_splat(const char *log)
{
	const char *begin = log;
	regmatch_t match;
	regex_t pattern;
	bool found;

	if (regcomp(&pattern, splat_pattern, REG_EXTENDED | REG_NEWLINE))
		die("bad pattern");
	found = !regexec(&pattern, log, 1, &match, 0);
	regfree(&pattern);
	if (!found)
		return NULL;
	for (begin += match.rm_so; begin > log && begin[-1] != '\n'; begin--)
		;
	return strndup(begin, strcspn(begin, "\n"));
}

/* After its last line, UML is taking itself apart; 6.12 may take a timer signal with no task left. */
static void cut_after_power_down(char *log)
{
	char *end = strstr(log, "reboot: Power down\n");

	if (end)
		*strchr(end, '\n') = 0;
}

static void save(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		die("%s: %s", path, strerror(errno));
}

static void print_indented(FILE *out, const char *title, const char *text)
{
	fprintf(out, "testbed: %s\n", title);
	while (*text) {
		size_t n = strcspn(text, "\n");

		fprintf(out, "| %.*s\n", (int)n, text);
		text += n + (text[n] == '\n');
	}
}

/* Status of the command, or EXIT_SPLAT with the log and, behind it, the reasons printed. */
static int verdict(void)
{
	char *log = slurp(run.log), *reports = slurp(run.reports), *result = slurp(run.result);
	char *line, *save_p, *splat, *why;
	bool bad = opt.strict && *reports;
	int status = -1;
	size_t size;
	FILE *reasons = open_memstream(&why, &size);

	if (!reasons)
		die("out of memory");
	cut_after_power_down(log);
	splat = find_splat(log);
	if (opt.log)
		save(opt.log, log);
	if (opt.stats)
		save(opt.stats, slurp(run.stats));
	if (*reports)
		print_indented(reasons, opt.strict ? "the strict model reports" : "the model reports", reports);
	for (line = strtok_r(result, "\n", &save_p); line; line = strtok_r(NULL, "\n", &save_p)) {
		if (sscanf(line, "exit %d", &status) == 1)
			continue;
		fprintf(reasons, "testbed: %s\n", strncmp(line, "splat ", 6) ? line : line + 6);
		bad = true;
	}
	bad |= splat || status < 0;
	if (splat)
		fprintf(reasons, "testbed: the kernel log has a splat: %s\n", splat);
	if (status < 0)
		fprintf(reasons, "testbed: the guest did not come to its end\n");
	fclose(reasons);
	if (bad || opt.verbose)
		print_indented(stderr, "the kernel log", log);
	fputs(why, stderr);
	return bad ? EXIT_SPLAT : status;
}

/* The kernel and whoever it left. We are their reaper. */
static void kill_all(void)
{
	kill(run.kernel, SIGKILL);
	while (waitpid(-1, NULL, __WALL) > 0 || errno == EINTR)
		;
}

/* The model has reported what the user does not want to go on after. */
static bool has_reported(void)
{
	static off_t seen;
	struct stat st;
	bool found = false;
	char *reports;

	if (!opt.stop_on_count || fstat(run.reports, &st) || st.st_size == seen)
		return false;
	seen = st.st_size;
	reports = slurp(run.reports);
	for (unsigned int i = 0; i < opt.stop_on_count; i++)
		found |= !!strstr(reports, opt.stop_on[i]);
	free(reports);
	return found;
}

/* Waits for the kernel's end; a signal for us, a report, or the time limit, ends it sooner. */
static int wait_kernel(const sigset_t *signals)
{
	struct timespec now, end, left;
	int sig;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += opt.timeout;
	while (1) {
		pid_t pid;

		while ((pid = waitpid(-1, NULL, WNOHANG | __WALL)) > 0)
			if (pid == run.kernel)
				return 0;
		clock_gettime(CLOCK_MONOTONIC, &now);
		left.tv_sec = opt.timeout ? end.tv_sec - now.tv_sec : 3600;
		left.tv_nsec = 1000000;
		if (left.tv_sec < 0)
			return -ETIMEDOUT;
		if (has_reported())
			return -ECANCELED;
		if (opt.stop_on_count)
			left = (struct timespec) { .tv_nsec = 200000000 };
		sig = sigtimedwait(signals, NULL, &left);
		if (sig > 0 && sig != SIGCHLD)
			return sig;
	}
}

static int run_guest(void)
{
	pid_t parent = getpid();
	sigset_t signals, old;
	int end, status;

	run.orders = memory_file("limn-orders");
	run.result = memory_file("limn-result");
	run.log = memory_file("limn-log");
	run.reports = memory_file("limn-reports");
	run.stats = memory_file("limn-stats");
	run.activity = opt.activity ? open(opt.activity, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666) : -1;
	if (opt.activity && run.activity < 0)
		die("%s: %s", opt.activity, strerror(errno));
	fcntl(run.log, F_SETFL, O_APPEND);
	write_orders();
	choose_ram_folder();
	prctl(PR_SET_CHILD_SUBREAPER, 1);

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &old);
	run.kernel = fork();
	if (run.kernel < 0)
		die("fork: %s", strerror(errno));
	if (!run.kernel) {
		sigprocmask(SIG_SETMASK, &old, NULL);
		exec_kernel(parent);
	}
	end = wait_kernel(&signals);
	kill_all();
	if (end > 0) {
		sigprocmask(SIG_SETMASK, &old, NULL);
		fprintf(stderr, "testbed: interrupted\n");
		return 128 + end;
	}
	status = verdict();
	if (end == -ETIMEDOUT) {
		fprintf(stderr, "testbed: no end after %u s\n", opt.timeout);
		return EXIT_TIMEOUT;
	}
	return status;
}

static const char usage[] =
"scripts/testbed [OPTION]... -- CMD ARG...\n"
"\n"
"Runs CMD inside a freshly booted Linux with the driver and the virtual GPU, in the\n"
"same working directory, and passes input, output and exit status through. Exits\n"
"with 125 and the kernel log when the kernel, or the model in strict mode, complains.\n"
"\n"
"  --gpu NAME          a name of 'limn info --models', or two of them: mali-400-mp2+gc2000;\n"
	"                      default mali-400-mp2; none: no GPU\n"
"  --driver NAME       limn (default), lima or etnaviv, the mainline drivers\n"
"  --kernel FLAVOUR    plain (default), debug (KASAN, lockdep, kmemleak, ...), or smp: as debug, the newest\n"
"                      kernel, several CPUs, no suspend\n"
"  --cpus N            with --kernel smp: 1 to 8, default 4\n"
"  --strict            the model checks what it is asked to do, and reports\n"
"  --model-fault F     a defect of the virtual GPU: stuck-reset:UNIT (gp, pp0, gc2000, ...), one-reset:gc320,\n"
"                      slow-reset:pp0, lost-end:pp0, lost-wake:gp, no-reset-line, unknown-gpu; several: F+F\n"
"  --device-tree TEXT  source after that of the device tree, any number; the GPU is &gpu0:\n"
"                      '&gpu0 { /delete-property/ clocks; };'\n"
"  --seed N            of the strict model's disorder; default 1\n"
"  --rw DIR            the guest may write there too; any number\n"
"  --module-params P   for the driver module, separated by spaces\n"
"  --no-modprobe       does not load the driver\n"
"  --unbound           a driver that does not bind to the GPU is no error\n"
"  --insmod FILE       loads this module after the driver; any number\n"
"  --stop-on TEXT      ends the guest soon after the model reports a line with that; any number\n"
"  --keep-driver       does not unload limn.ko at the end\n"
"  --memory MIB        of the guest; default 512 (debug: 1024)\n"
"  --timeout S         ends the guest after so many seconds, exit status 124\n"
"  --stats FILE        the model's counters at the end, as JSON\n"
"  --activity FILE     when the model's units work, for limn trace in the guest\n"
"  --log FILE          the kernel log\n"
"  --verbose           prints the kernel log\n"
	"example: scripts/testbed --gpu gc3000 --strict -- build/limn run job.limn -o a.png\n";

/* A whole number of at least least, as text. Anything else is a wrong command line. */
static const char *number(const char *option, const char *text, unsigned long long least)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (!isdigit((unsigned char)text[0]) || *end || errno || value < least) {
		fprintf(stderr, "testbed: --%s: '%s' is not a whole number%s\n", option, text,
			least ? " large enough" : "");
		exit(2);
	}
	return text;
}

static void add_path(const char *option, const char *path, const char **list, unsigned int *count,
		     unsigned int room)
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		die("%s: %s", path, strerror(errno));
	if (*count == room)
		die("--%s: more than %u", option, room);
	list[(*count)++] = strdup(real);
}

static void parse(int argc, char **argv)
{
	static const struct option table[] = {
		{ "path-kernel", 1, NULL, 'K' }, { "path-modules", 1, NULL, 'M' },
		{ "path-init", 1, NULL, 'I' }, { "path-model", 1, NULL, 'O' },
		{ "path-dtb", 1, NULL, 'D' }, { "path-limn", 1, NULL, 'L' },
		{ "gpu", 1, NULL, 'g' }, { "driver", 1, NULL, 'd' }, { "kernel", 1, NULL, 'k' },
		{ "cpus", 1, NULL, 'c' },
		{ "strict", 0, NULL, 'S' }, { "model-fault", 1, NULL, 'F' }, { "seed", 1, NULL, 's' }, { "rw", 1, NULL, 'w' },
		{ "module-params", 1, NULL, 'p' }, { "no-modprobe", 0, NULL, 'n' },
		{ "device-tree", 1, NULL, 'x' }, { "unbound", 0, NULL, 'u' },
		{ "insmod", 1, NULL, 'i' }, { "stop-on", 1, NULL, 'o' }, { "keep-driver", 0, NULL, 'q' },
		{ "memory", 1, NULL, 'm' }, { "timeout", 1, NULL, 't' }, { "stats", 1, NULL, 'T' },
		{ "activity", 1, NULL, 'A' },
		{ "log", 1, NULL, 'l' }, { "verbose", 0, NULL, 'v' }, { "help", 0, NULL, 'h' },
		{ }
	};
	int c;

	while ((c = getopt_long(argc, argv, "+:h", table, NULL)) != -1) {
		/* Else "--log -- CMD" makes a file "--", and runs something else. */
		if (optarg && optarg == argv[optind - 1] && !strncmp(optarg, "--", 2)) {
			fprintf(stderr, "testbed: %s: its value is missing\n", argv[optind - 2]);
			exit(2);
		}
		switch (c) {
		case 'K': opt.kernel = optarg; break;
		case 'M': opt.modules = optarg; break;
		case 'I': opt.init = optarg; break;
		case 'O': opt.model = optarg; break;
		case 'D': opt.dtb = optarg; break;
		case 'L': opt.limn_ko = optarg; break;
		case 'g': opt.gpu = optarg; break;
		case 'd': opt.driver = optarg; break;
		case 'k': opt.debug = strcmp(optarg, "plain"); opt.smp = !strcmp(optarg, "smp"); break;
		case 'c': opt.cpus = number("cpus", optarg, 1); break;
		case 'S': opt.strict = true; break;
		case 'F': opt.fault = optarg; break;
		case 's': opt.seed = number("seed", optarg, 0); break;
		case 'p': opt.params = optarg; break;
		case 'n': opt.no_driver = true; break;
		case 'u': opt.unbound = true; break;
		case 'x': break;	/* scripts/testbed has built it */
		case 'q': opt.keep_driver = true; break;
		case 'm': opt.memory = number("memory", optarg, 32); break;
		case 't': opt.timeout = strtoul(number("timeout", optarg, 1), NULL, 0); break;
		case 'T': opt.stats = optarg; break;
		case 'A': opt.activity = optarg; break;
		case 'l': opt.log = optarg; break;
		case 'v': opt.verbose = true; break;
		case 'w': add_path("rw", optarg, opt.rw, &opt.rw_count, 64); break;
		case 'o':
			if (opt.stop_on_count == sizeof(opt.stop_on) / sizeof(opt.stop_on[0]))
				die("too many --stop-on");
			opt.stop_on[opt.stop_on_count++] = optarg;
			break;
		case 'i': add_path("insmod", optarg, opt.insmod, &opt.insmod_count, 16); break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			fprintf(stderr, "testbed: %s%s (--help tells more)\n", c == ':' ? "a value is missing: " : "no option ",
				argv[optind - 1]);
			exit(2);
		}
	}
	if (optind == argc) {
		fputs("testbed: no command: scripts/testbed [OPTION]... -- CMD ARG... (--help tells more)\n", stderr);
		exit(2);
	}
	opt.command = argv + optind;
	if (!opt.memory)
		opt.memory = opt.debug ? "1024" : "512";
	if (opt.cpus && !opt.smp) {
		fputs("testbed: --cpus needs --kernel smp\n", stderr);
		exit(2);
	}
	if (opt.smp && !opt.cpus)
		opt.cpus = "4";
}

int main(int argc, char **argv)
{
	parse(argc, argv);
	return run_guest();
}
