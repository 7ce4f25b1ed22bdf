/* SPDX-License-Identifier: MIT */
/* Threads for work that falls into independent parts. */
#ifndef LIMN_MODEL_POOL_H
#define LIMN_MODEL_POOL_H

struct pool;

/* So many threads, the caller's among them; NULL for one, or when there are no more: pool_run() then works alone. */
struct pool *pool_create(unsigned int threads);
void pool_destroy(struct pool *pool);

/* work(ctx, i) for every i below n, in any order, on any thread; all is done when it returns. Not to be nested. */
void pool_run(struct pool *pool, unsigned int n, void (*work)(void *ctx, unsigned int i), void *ctx);

#endif
