/* SPDX-License-Identifier: MIT */
/*
 * The part of libigt's ABI that our tests use, for Debian's libigt.so.0
 * (intel-gpu-tools 1.27.1), which comes without headers. Prototypes are the
 * library's; the control-flow macros are ours. Only this folder is put on the
 * include path when there is no IGT source; inside an IGT tree its own igt.h
 * is found, so tests may use nothing that is not in both.
 */
#ifndef LIMN_IGT_ABI_H
#define LIMN_IGT_ABI_H

#include <getopt.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define IGT_EXIT_SUCCESS	0
#define IGT_EXIT_SKIP		77
#define IGT_EXIT_INVALID	79
#define IGT_EXIT_FAILURE	98
#define IGT_EXIT_ABORT		112

#ifndef IGT_LOG_DOMAIN
#define IGT_LOG_DOMAIN		((const char *)NULL)
#endif

enum igt_log_level { IGT_LOG_DEBUG, IGT_LOG_INFO, IGT_LOG_WARN, IGT_LOG_CRITICAL, IGT_LOG_NONE };

struct igt_helper_process {
	bool running;
	bool use_SIGKILL;
	pid_t pid;
	int id;
};

typedef int (*igt_opt_handler_t)(int opt, int opt_index, void *data);
typedef void (*igt_exit_handler_t)(int sig);

extern const char *__igt_test_description;
extern jmp_buf igt_subtest_jmpbuf;
extern jmp_buf igt_dynamic_jmpbuf;
extern int (*igt_ioctl)(int fd, unsigned long request, void *arg);

/* --- core ------------------------------------------------------------- */

int igt_subtest_init_parse_opts(int *argc, char **argv, const char *short_opts,
				const struct option *long_opts, const char *help,
				igt_opt_handler_t handler, void *data);
void igt_exit(void) __attribute__((noreturn));
bool __igt_fixture(void);
void __igt_fixture_complete(void);
bool __igt_run_subtest(const char *name, const char *file, int line);
bool __igt_enter_dynamic_container(void);
bool __igt_run_dynamic_subtest(const char *name);
void __igt_subtest_group_save(int *save, int *desc);
void __igt_subtest_group_restore(int save, int desc);
void igt_describe_f(const char *format, ...) __attribute__((format(printf, 1, 2)));
void igt_success(void);
void igt_skip(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void __igt_skip_check(const char *file, int line, const char *func, const char *check,
		      const char *format, ...)
	__attribute__((format(printf, 5, 6), noreturn));
void __igt_fail_assert(const char *domain, const char *file, int line, const char *func,
		       const char *assertion, const char *format, ...)
	__attribute__((format(printf, 6, 7), noreturn));
void igt_log(const char *domain, enum igt_log_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool igt_only_list_subtests(void);
const char *igt_subtest_name(void);
void igt_install_exit_handler(igt_exit_handler_t handler);
void igt_set_timeout(unsigned int seconds, const char *op);
void igt_reset_timeout(void);
uint64_t igt_nsec_elapsed(struct timespec *start);

/* --- processes -------------------------------------------------------- */

bool __igt_fork(void);
void igt_waitchildren(void);
void igt_waitchildren_timeout(int seconds, const char *reason);
void igt_kill_children(int signal);
bool __igt_fork_helper(struct igt_helper_process *proc);
int igt_wait_helper(struct igt_helper_process *proc);
void igt_stop_helper(struct igt_helper_process *proc);
void igt_fork_signal_helper(void);
void igt_stop_signal_helper(void);

/* --- DRM -------------------------------------------------------------- */

void gem_close(int fd, uint32_t handle);
int prime_handle_to_fd(int fd, uint32_t handle);
uint32_t prime_fd_to_handle(int fd, int dma_buf);

/* --- macros ----------------------------------------------------------- */

#define IGT_TEST_DESCRIPTION(text) const char *__igt_test_description = text

#define limn_igt_cat2(a, b)	a##b
#define limn_igt_cat(a, b)	limn_igt_cat2(a, b)
#define limn_igt_name(a)	limn_igt_cat(limn_igt_##a##_, __LINE__)

#define igt_main \
	static void limn_igt_main(void); \
	int main(int argc, char **argv) \
	{ \
		igt_subtest_init_parse_opts(&argc, argv, NULL, NULL, NULL, NULL, NULL); \
		limn_igt_main(); \
		igt_exit(); \
	} \
	static void limn_igt_main(void)

#define igt_fixture \
	for (volatile bool limn_igt_name(once) = true; \
	     limn_igt_name(once) && __igt_fixture() && !sigsetjmp(igt_subtest_jmpbuf, 1); \
	     limn_igt_name(once) = false, __igt_fixture_complete())

#define igt_subtest(name) \
	for (; __igt_run_subtest(name, __FILE__, __LINE__) && !sigsetjmp(igt_subtest_jmpbuf, 1); \
	     igt_success())

#define igt_subtest_f(...) \
	for (char limn_igt_name(text)[256]; \
	     snprintf(limn_igt_name(text), sizeof(limn_igt_name(text)), __VA_ARGS__), \
	     __igt_run_subtest(limn_igt_name(text), __FILE__, __LINE__) && \
	     !sigsetjmp(igt_subtest_jmpbuf, 1); \
	     igt_success())

#define igt_subtest_group \
	for (int limn_igt_name(save) = 0, limn_igt_name(desc) = 0, limn_igt_name(once) = 1; \
	     limn_igt_name(once) && \
	     (__igt_subtest_group_save(&limn_igt_name(save), &limn_igt_name(desc)), 1); \
	     limn_igt_name(once) = 0, \
	     __igt_subtest_group_restore(limn_igt_name(save), limn_igt_name(desc)))

#define igt_describe(text)	igt_describe_f("%s", text)

#define igt_fork(child, count) \
	for (int child = 0; child < (count); child++) \
		for (; __igt_fork(); exit(0))

#define igt_fork_helper(proc) \
	for (; __igt_fork_helper(proc); exit(0))

#define limn_igt_fail(text, ...) \
	__igt_fail_assert(IGT_LOG_DOMAIN, __FILE__, __LINE__, __func__, text, __VA_ARGS__)

#define igt_assert(expr) do { \
	if (!(expr)) \
		__igt_fail_assert(IGT_LOG_DOMAIN, __FILE__, __LINE__, __func__, #expr, NULL); \
} while (0)
#define igt_assert_f(expr, ...) do { \
	if (!(expr)) \
		limn_igt_fail(#expr, __VA_ARGS__); \
} while (0)

#define limn_igt_compare(type, format, a, op, not_op, b) do { \
	type limn_igt_a = (a), limn_igt_b = (b); \
	if (!(limn_igt_a op limn_igt_b)) \
		limn_igt_fail(#a " " #op " " #b, "error: " format " " #not_op " " format "\n", \
			      limn_igt_a, limn_igt_b); \
} while (0)
#define igt_assert_eq(a, b)	limn_igt_compare(int, "%d", a, ==, !=, b)
#define igt_assert_neq(a, b)	limn_igt_compare(int, "%d", a, !=, ==, b)
#define igt_assert_lt(a, b)	limn_igt_compare(int, "%d", a, <, >=, b)
#define igt_assert_lte(a, b)	limn_igt_compare(int, "%d", a, <=, >, b)
#define igt_assert_eq_u32(a, b)	limn_igt_compare(uint32_t, "%#x", a, ==, !=, b)
#define igt_assert_neq_u32(a, b) limn_igt_compare(uint32_t, "%#x", a, !=, ==, b)
#define igt_assert_eq_u64(a, b) \
	limn_igt_compare(unsigned long long, "%#llx", a, ==, !=, b)
#define igt_assert_fd(fd)	igt_assert_f((fd) >= 0, "file descriptor " #fd " failed\n")

#define igt_require(expr) do { \
	if (!(expr)) \
		__igt_skip_check(__FILE__, __LINE__, __func__, #expr, NULL); \
} while (0)
#define igt_require_f(expr, ...) do { \
	if (!(expr)) \
		__igt_skip_check(__FILE__, __LINE__, __func__, #expr, __VA_ARGS__); \
} while (0)
#define igt_skip_on(expr)	igt_require(!(expr))
#define igt_skip_on_f(expr, ...) igt_require_f(!(expr), __VA_ARGS__)

#define igt_debug(...)		igt_log(IGT_LOG_DOMAIN, IGT_LOG_DEBUG, __VA_ARGS__)
#define igt_info(...)		igt_log(IGT_LOG_DOMAIN, IGT_LOG_INFO, __VA_ARGS__)
#define igt_warn(...)		igt_log(IGT_LOG_DOMAIN, IGT_LOG_WARN, __VA_ARGS__)

#endif
