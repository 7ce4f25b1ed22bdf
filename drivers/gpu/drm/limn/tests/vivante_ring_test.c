// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: what FE meets on its way through the ring and a job's stream, followed
 * word by word as FE would; and when the hang check gives a job up.
 */
#include <drm/etnaviv_drm.h>

#include "../limn_drv.h"
#include "../vivante/vivante.h"
#include "limn_test.h"

#define RING_VA		0x00010000
#define STREAM_VA	0x00100000
#define STREAM_BYTES	64
#define CLEANER_VA	0x00040000
#define CLEANER_WORDS	8
#define TABLE_DMA	0x12345000

struct ring_test {
	struct vivante *viv;
	struct vivante_vm *vvm;
	struct vivante_core core;
	u32 stream[STREAM_BYTES / 4 + 2];
	u32 cleaner[CLEANER_WORDS + 2];
};

/* What FE met. */
struct walk {
	u32 fetched;		/* 64-bit words left of what the last jump fetches */
	unsigned int table;	/* page tables set */
	unsigned int select;	/* pipe selected, plus one */
	unsigned int flushes;	/* of caches */
	unsigned int events;
	unsigned int event;	/* the last one */
	unsigned int ends;
	bool stream;		/* it was in the stream */
	unsigned int cleaner;	/* words of clean.c's, before the stream */
	u32 at;			/* where it stopped, in bytes of the ring */
};

static int ring_init(struct kunit *test)
{
	struct ring_test *t = limn_test_alloc(test, sizeof(*t));

	t->viv = limn_test_alloc(test, sizeof(*t->viv));
	t->vvm = limn_test_alloc(test, sizeof(*t->vvm));
	t->core.ring.cpu = limn_test_alloc(test, VIVANTE_RING_SIZE);
	t->vvm->base.ldev = &t->viv->base;
	t->vvm->table.dma = TABLE_DMA;
	t->viv->mmu = &vivante_mmu_v2;
	t->core.viv = t->viv;
	t->core.ring.va = RING_VA;
	t->core.wait_cycles = 200;
	t->core.exec_state = -1;
	test->priv = t;
	return 0;
}

static u32 *word_at(struct kunit *test, struct walk *w, u32 va)
{
	struct ring_test *t = test->priv;

	if (va - STREAM_VA < sizeof(t->stream)) {
		w->stream = true;
		return t->stream + (va - STREAM_VA) / 4;
	}
	if (va - CLEANER_VA < sizeof(t->cleaner)) {
		KUNIT_ASSERT_FALSE(test, w->stream);
		w->cleaner++;
		return t->cleaner + (va - CLEANER_VA) / 4;
	}
	KUNIT_ASSERT_LT(test, va - RING_VA, VIVANTE_RING_SIZE);
	return t->core.ring.cpu + (va - RING_VA) / 4;
}

static void meet_state(struct walk *w, u32 state, u32 value)
{
	switch (state) {
	case VIVS_MMUv2_CONFIGURATION:
		w->table += value >> 12 == TABLE_DMA >> 12;
		break;
	case VIVS_GL_PIPE_SELECT:
		w->select = value + 1;
		break;
	case VIVS_GL_FLUSH_CACHE:
		w->flushes++;
		break;
	case VIVS_GL_EVENT:
		w->events++;
		w->event = VIV_GET(VIVS_GL_EVENT_EVENT_ID, value);
		break;
	}
}

/* Until a WAIT or an END. What is not fetched cannot be executed. */
static void walk(struct kunit *test, struct walk *w, u32 va, u32 words)
{
	unsigned int steps;

	w->fetched = words;
	for (steps = 0; steps < 200; steps++) {
		u32 *cmd = word_at(test, w, va);

		KUNIT_ASSERT_GT(test, w->fetched, 0);
		w->fetched--;
		switch (VIV_GET(VIV_FE_OPCODE, cmd[0])) {
		case FE_OPCODE_LOAD_STATE:
			KUNIT_ASSERT_EQ(test, viv_fe_load_count(cmd[0]), 1);
			meet_state(w, viv_fe_load_address(cmd[0]), cmd[1]);
			break;
		case FE_OPCODE_STALL:
		case FE_OPCODE_NOP:
			break;
		case FE_OPCODE_LINK:
			w->fetched = VIV_GET(VIV_FE_LINK_HEADER_PREFETCH, cmd[0]);
			va = cmd[1];
			continue;
		case FE_OPCODE_END:
			w->ends++;
			w->at = va - RING_VA;
			return;
		case FE_OPCODE_WAIT:
			/* And the LINK to it. */
			KUNIT_ASSERT_EQ(test, w->fetched, 1);
			KUNIT_ASSERT_EQ(test, VIV_GET(VIV_FE_OPCODE, cmd[2]), FE_OPCODE_LINK);
			KUNIT_EXPECT_EQ(test, VIV_GET(VIV_FE_LINK_HEADER_PREFETCH, cmd[2]), 2);
			KUNIT_EXPECT_EQ(test, cmd[3], va);
			w->at = va - RING_VA;
			return;
		default:
			KUNIT_FAIL(test, "%08x at %08x", cmd[0], va);
			return;
		}
		va += 8;
	}
	KUNIT_FAIL(test, "no end");
}

static void new_job(struct ring_test *t, struct vivante_job *vj, u32 exec_state)
{
	unsigned int i;

	memset(vj, 0, sizeof(*vj));
	for (i = 0; i < STREAM_BYTES / 4; i += 2) {
		t->stream[i] = VIV_FE_COMMAND(NOP);
		t->stream[i + 1] = 0;
	}
	vj->exec_state = exec_state;
	vj->cmd.cpu = t->stream;
	vj->cmd.va = STREAM_VA;
	vj->cmd.size = sizeof(t->stream);
}

/* Many jobs: from the flush, from behind it, through the stream, to the WAIT. */
static void ring_jobs(struct kunit *test)
{
	struct ring_test *t = test->priv;
	u32 last_begin = 0, last_end = 0;
	struct vivante_job vj;
	unsigned int i, wraps = 0;

	for (i = 0; i < 1000; i++) {
		u32 exec_state = i % 7 == 0 ? ETNA_PIPE_2D : ETNA_PIPE_3D;
		bool apart, same = t->core.exec_state == exec_state;
		struct walk w = {}, plain = {};

		new_job(t, &vj, exec_state);
		vivante_segment_write(&t->core, &t->vvm->base, &vj);
		KUNIT_ASSERT_LE(test, t->core.ring.tail, VIVANTE_RING_SIZE);
		walk(test, &w, RING_VA + vj.seg.flush, vj.seg.flush_words);
		walk(test, &plain, RING_VA + vj.seg.plain, vj.seg.plain_words);

		KUNIT_EXPECT_EQ(test, w.table, 1);
		KUNIT_EXPECT_EQ(test, plain.table, 0);
		KUNIT_EXPECT_EQ(test, w.select, same ? 0 : exec_state + 1);
		KUNIT_EXPECT_EQ(test, plain.select, w.select);
		KUNIT_EXPECT_EQ(test, w.events, 1);
		KUNIT_EXPECT_EQ(test, w.event, vj.event);
		KUNIT_EXPECT_LT(test, vj.event, VIV_EVENTS);
		KUNIT_EXPECT_TRUE(test, w.stream && plain.stream);
		KUNIT_EXPECT_EQ(test, w.ends, 0);
		KUNIT_EXPECT_EQ(test, w.at, vj.seg.wait);
		KUNIT_EXPECT_EQ(test, plain.at, vj.seg.wait);
		/* It does not touch the segment that FE may be in. */
		apart = vj.seg.flush >= last_end || t->core.ring.tail <= last_begin;
		KUNIT_EXPECT_TRUE(test, apart);
		wraps += vj.seg.flush < last_begin;
		last_begin = vj.seg.flush;
		last_end = t->core.ring.tail;
		if (test->status == KUNIT_FAILURE)
			return;
	}
	KUNIT_EXPECT_GT(test, wraps, 10);
}

/* With counters to be read, FE stops in front of the stream and behind it. */
static void ring_counters(struct kunit *test)
{
	struct ring_test *t = test->priv;
	struct vivante_job vj;
	struct walk w = {};
	unsigned int i;

	for (i = 0; i < 100; i++) {
		new_job(t, &vj, i % 2);
		vj.num_pmrs = 1;
		vivante_segment_write(&t->core, &t->vvm->base, &vj);
		KUNIT_EXPECT_EQ(test, vj.phase, VIVANTE_SYNC_PRE);
		w = (struct walk){};
		walk(test, &w, RING_VA + vj.seg.flush, vj.seg.flush_words);
		KUNIT_EXPECT_FALSE(test, w.stream);
		KUNIT_EXPECT_EQ(test, w.ends, 1);
		KUNIT_EXPECT_EQ(test, w.event, vj.event_pre);
		KUNIT_EXPECT_EQ(test, w.at + 8, vj.seg.stream);
		w = (struct walk){};
		walk(test, &w, RING_VA + vj.seg.stream, 1);
		KUNIT_EXPECT_TRUE(test, w.stream);
		KUNIT_EXPECT_EQ(test, w.ends, 1);
		KUNIT_EXPECT_EQ(test, w.event, vj.event_post);
		KUNIT_EXPECT_NE(test, vj.event_pre, vj.event_post);
		KUNIT_EXPECT_LE(test, t->core.ring.tail, VIVANTE_RING_SIZE);
	}
}

/* Before another client's job FE goes through commands that clean, and then on. */
static void ring_clients(struct kunit *test)
{
	static const u64 clients[] = { 1, 1, 2, 1, 1, 3, 3, 2 };
	struct ring_test *t = test->priv;
	struct vivante_cleaner *cleaner = &t->core.cleaner;
	struct vivante_job vj;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t->cleaner); i += 2)
		t->cleaner[i] = VIV_FE_COMMAND(NOP);
	cleaner->cpu = t->cleaner;
	cleaner->va = CLEANER_VA;
	cleaner->words[PIPE_ID_PIPE_3D] = CLEANER_WORDS;
	cleaner->commands[PIPE_ID_PIPE_3D] = t->cleaner;
	for (i = 0; i < 4 * ARRAY_SIZE(clients); i++) {
		u64 client = clients[i % ARRAY_SIZE(clients)];
		bool same = t->core.owner[PIPE_ID_PIPE_3D] == client;
		struct walk w = {}, plain = {};

		new_job(t, &vj, ETNA_PIPE_3D);
		vj.client = client;
		vj.num_pmrs = i % 3 == 0;
		vivante_segment_write(&t->core, &t->vvm->base, &vj);
		walk(test, &w, RING_VA + vj.seg.flush, vj.seg.flush_words);
		walk(test, &plain, RING_VA + vj.seg.plain, vj.seg.plain_words);
		KUNIT_EXPECT_EQ(test, w.cleaner, same ? 0 : CLEANER_WORDS / 2 + 1);
		KUNIT_EXPECT_EQ(test, plain.cleaner, w.cleaner);
		KUNIT_EXPECT_EQ(test, w.stream, !vj.num_pmrs);
		KUNIT_EXPECT_EQ(test, t->core.owner[PIPE_ID_PIPE_3D], client);
	}
	/* What a reset leaves is nobody's. */
	vivante_ring_reset(&t->core);
	KUNIT_EXPECT_EQ(test, t->core.owner[PIPE_ID_PIPE_3D], 0);
	/* The 2D pipe has states of its own; here it has none to clean. */
	new_job(t, &vj, ETNA_PIPE_2D);
	vj.client = 7;
	KUNIT_EXPECT_NULL(test, vivante_cleaner_use(&t->core, &vj));
}

/* MMUv1 flushes, and has one table for all. */
static void ring_mmu_v1(struct kunit *test)
{
	struct ring_test *t = test->priv;
	struct vivante_job vj;
	struct walk w = {};

	t->viv->mmu = &vivante_mmu_v1;
	new_job(t, &vj, ETNA_PIPE_3D);
	vivante_segment_write(&t->core, &t->vvm->base, &vj);
	walk(test, &w, RING_VA + vj.seg.flush, vj.seg.flush_words);
	KUNIT_EXPECT_EQ(test, vj.seg.plain - vj.seg.flush, 8);
	KUNIT_EXPECT_EQ(test, viv_fe_load_address(t->core.ring.cpu[vj.seg.flush / 4]),
			VIVS_GL_FLUSH_MMU);
	KUNIT_EXPECT_EQ(test, w.table, 0);
	KUNIT_EXPECT_EQ(test, w.at, vj.seg.wait);
}

/* --- The hang check --------------------------------------------------------- */

/* @times periods in which FE is at @position and @primitive, and the job is to go on or not. */
struct period {
	u32 position, primitive;
	bool active, goes_on;
	unsigned int times;
};

#define GOES_ON(position, primitive, active, times)	{ position, primitive, active, true, times }
#define HANGS(position, primitive, active)		{ position, primitive, active, false, 1 }

static void check_periods(struct kunit *test, const struct period *p, unsigned int num)
{
	struct vivante_progress progress = {};
	unsigned int i, k;

	for (i = 0; i < num; i++) {
		for (k = 0; k < p[i].times; k++)
			KUNIT_EXPECT_EQ_MSG(test, vivante_gets_on(&progress, p[i].position,
								  p[i].primitive, p[i].active),
					    p[i].goes_on, "row %u, time %u", i, k);
	}
}

static void hangs(struct kunit *test)
{
	static const struct period still[] = {
		GOES_ON(1, 7, false, VIVANTE_STILL_PERIODS), HANGS(1, 7, false),
	};
	/* One long draw: FE stands, memory does not; it may stand still now and then. */
	static const struct period slow[] = {
		GOES_ON(40, 7, true, 16), GOES_ON(40, 7, false, 1),
		GOES_ON(40, 7, true, VIVANTE_SLOW_PERIODS - 16), HANGS(40, 7, true),
	};
	/* The next word has all the time again. */
	static const struct period slow_words[] = {
		GOES_ON(40, 7, true, 19), GOES_ON(48, 7, true, 19), GOES_ON(56, 7, true, 19),
	};
	/* A draw of many primitives; none any more. */
	static const struct period primitives[] = {
		GOES_ON(40, 1, false, 2), GOES_ON(40, 2, false, 2), GOES_ON(40, 3, true, 20),
		GOES_ON(40, 4, true, VIVANTE_SLOW_PERIODS), HANGS(40, 4, true),
	};
	struct vivante_progress loop = {};
	unsigned int n = 0;

	check_periods(test, still, ARRAY_SIZE(still));
	check_periods(test, slow, ARRAY_SIZE(slow));
	check_periods(test, slow_words, ARRAY_SIZE(slow_words));
	check_periods(test, primitives, ARRAY_SIZE(primitives));
	/* A loop of FE reads memory all the time, but each of its words is new once. */
	while (n < 1000 && vivante_gets_on(&loop, 100 + n * 24 % 64, 7, true))
		n++;
	KUNIT_EXPECT_LT(test, n, 8 * VIVANTE_SLOW_PERIODS);
}

/*
 * A core that did not come back from sleep has no clocks, and here no registers:
 * whatever recovery asks of it, it touches none, and no job starts.
 */
static void power_off(struct kunit *test)
{
	const struct limn_pipe_ops *ops = &vivante_pipe_ops;
	struct ring_test *t = test->priv;
	struct limn_device *ldev = &t->viv->base;
	struct limn_pipe *pipe = limn_test_alloc(test, sizeof(*pipe));
	struct limn_job *job = limn_test_alloc(test, sizeof(*job));
	struct vivante_job vj = {};

	job->priv = &vj;
	pipe->ldev = ldev;
	spin_lock_init(&pipe->lock);
	ldev->pipe[0] = pipe;
	t->viv->core[0] = &t->core;
	t->core.power = VIVANTE_OFF;
	mutex_init(&ldev->hw_lock);

	mutex_lock(&ldev->hw_lock);
	ops->mask(pipe);
	KUNIT_EXPECT_FALSE(test, ops->progress(pipe, job));
	ops->dump(pipe, job, NULL);
	KUNIT_EXPECT_EQ(test, ops->reset(pipe), 0);
	KUNIT_EXPECT_EQ(test, ops->prepare(pipe, job), -EIO);
	mutex_unlock(&ldev->hw_lock);
	mutex_destroy(&ldev->hw_lock);
}

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(ring_jobs),
	KUNIT_CASE(ring_counters),
	KUNIT_CASE(ring_clients),
	KUNIT_CASE(ring_mmu_v1),
	KUNIT_CASE(hangs),
	KUNIT_CASE(power_off),
	{}
};

static struct kunit_suite ring_suite = {
	.name = "limn-vivante-ring",
	.init = ring_init,
	.test_cases = ring_cases,
};

kunit_test_suite(ring_suite);
