/* SPDX-License-Identifier: MIT */
/* Threads for work that falls into independent parts. */
#ifndef LIMN_MODEL_POOL_H
#define LIMN_MODEL_POOL_H

struct pool;

/* So many threads, the caller's among them; NULL for one, or when there are no more: pool_run() then works alone. */
struct pool *pool_create(unsigned int threads);
void pool_destroy(struct pool *pool);
unsigned int pool_threads(const struct pool *pool);

/*
 * work(ctx, i, thread) for every i below n, in any order, on any thread, whose number is below that of threads; all is done
 * when it returns. Not to be nested.
 */
typedef void pool_work(void *ctx, unsigned int i, unsigned int thread);
void pool_run(struct pool *pool, unsigned int n, pool_work *work, void *ctx);

#endif
