// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/pool.h"

#define MAX_THREADS	64

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t begin, end;
	unsigned int round;		/* of work; its change wakes the threads */
	unsigned int busy;		/* threads that have not done with it */
	bool over;
	pool_work *work;
	void *ctx;
	unsigned int n;
	atomic_uint next;		/* part */
	atomic_uint numbered;		/* threads that know theirs */
	unsigned int threads;		/* beside the caller's */
	pthread_t thread[MAX_THREADS];
};

static void take_parts(struct pool *p, unsigned int thread)
{
	for (unsigned int i; (i = atomic_fetch_add(&p->next, 1)) < p->n;)
		p->work(p->ctx, i, thread);
}

static void *serve(void *arg)
{
	struct pool *p = arg;
	unsigned int round = 0, thread = atomic_fetch_add(&p->numbered, 1) + 1;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (p->round == round && !p->over)
			pthread_cond_wait(&p->begin, &p->lock);
		if (p->over)
			break;
		round = p->round;
		pthread_mutex_unlock(&p->lock);
		take_parts(p, thread);
		pthread_mutex_lock(&p->lock);
		if (!--p->busy)
			pthread_cond_signal(&p->end);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

struct pool *pool_create(unsigned int threads)
{
	struct pool *p = threads > 1 ? calloc(1, sizeof(*p)) : NULL;

	if (!p)
		return NULL;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->begin, NULL);
	pthread_cond_init(&p->end, NULL);
	while (p->threads + 1 < threads && p->threads < MAX_THREADS &&
	       !pthread_create(&p->thread[p->threads], NULL, serve, p))
		p->threads++;
	return p;
}

void pool_destroy(struct pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_broadcast(&p->begin);
	pthread_mutex_unlock(&p->lock);
	for (unsigned int i = 0; i < p->threads; i++)
		pthread_join(p->thread[i], NULL);
	pthread_cond_destroy(&p->end);
	pthread_cond_destroy(&p->begin);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

unsigned int pool_threads(const struct pool *p)
{
	return p ? p->threads + 1 : 1;
}

void pool_run(struct pool *p, unsigned int n, pool_work *work, void *ctx)
{
	if (!p || n < 2) {
		for (unsigned int i = 0; i < n; i++)
			work(ctx, i, 0);
		return;
	}
	pthread_mutex_lock(&p->lock);
	p->work = work;
	p->ctx = ctx;
	p->n = n;
	atomic_store(&p->next, 0);
	p->busy = p->threads;
	p->round++;
	pthread_cond_broadcast(&p->begin);
	pthread_mutex_unlock(&p->lock);
	take_parts(p, 0);
	pthread_mutex_lock(&p->lock);
	while (p->busy)
		pthread_cond_wait(&p->end, &p->lock);
	pthread_mutex_unlock(&p->lock);
}
