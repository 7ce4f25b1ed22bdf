// SPDX-License-Identifier: MIT
/*
 * MMU, L2, reset and the strict mode's findings, register by register. The
 * GP's PLBU serves as the unit that reads and writes memory: STORE writes a
 * register's value, JUMP reads the list.
 */
#include <limn/utgard/gp_stream.h>
#include <limn/witness.h>

#include "tests/model/regs_env.h"

#define MMU		UTGARD_GPMMU_OFFSET
#define L2		UTGARD_M400_L2_OFFSET
/* Pages of RAM. */
#define DIR		0
#define TABLE		1
#define LIST		2
#define DATA		3
#define OTHER		4
#define DIR2		5
#define TABLE2		6
/* Virtual. */
#define VA_LIST		0x00400000u
#define VA_DATA		0x00401000u
#define RW		(MMU_ENTRY_PRESENT | MMU_ENTRY_READ | MMU_ENTRY_WRITE)

static uint32_t *page(struct env *e, unsigned int n)
{
	return (uint32_t *)(e->ram + 4096 * n);
}

static uint32_t phys(unsigned int n)
{
	return DMA + 4096 * n;
}

static void set_dte(struct env *e, unsigned int dir, bool zap)
{
	wr(e, MMU + MMU_COMMAND, MMU_COMMAND_ENABLE_STALL);
	poll(e, MMU + MMU_STATUS, MMU_STATUS_STALL_ACTIVE, MMU_STATUS_STALL_ACTIVE);
	wr(e, MMU + MMU_DTE_ADDR, phys(dir));
	if (zap)
		wr(e, MMU + MMU_COMMAND, MMU_COMMAND_ZAP_CACHE);
	wr(e, MMU + MMU_COMMAND, MMU_COMMAND_DISABLE_STALL);
	poll(e, MMU + MMU_STATUS, MMU_STATUS_STALL_ACTIVE, 0);
}

static void clear_l2(struct env *e)
{
	wr(e, L2 + L2_COMMAND, L2_COMMAND_CLEAR_ALL);
	poll(e, L2 + L2_STATUS, L2_STATUS_COMMAND_BUSY, 0);
}

static void start(struct env *e, bool strict)
{
	env_open(e, "mali-400-mp1", strict, 5);
	assert_string_equal(model_gpu_find("mali-400-mp1")->irq[0], "gp");
	assert_string_equal(model_gpu_find("mali-400-mp1")->irq[1], "gpmmu");
	wr(e, UTGARD_PMU_OFFSET + PMU_POWER_UP, ~0u & rd(e, UTGARD_PMU_OFFSET + PMU_STATUS));
	poll(e, UTGARD_PMU_OFFSET + PMU_INT_RAWSTAT, 1, 1);
	clear_l2(e);
	wr(e, L2 + L2_ENABLE, L2_ENABLE_ACCESS | L2_ENABLE_READ_ALLOCATE);
	page(e, DIR)[1] = phys(TABLE) | MMU_ENTRY_PRESENT;
	page(e, TABLE)[0] = phys(LIST) | RW;
	page(e, TABLE)[1] = phys(DATA) | RW;
	page(e, DIR2)[1] = phys(TABLE2) | MMU_ENTRY_PRESENT;
	page(e, TABLE2)[0] = phys(LIST) | RW;
	page(e, TABLE2)[1] = phys(OTHER) | RW;
	wr(e, MMU + MMU_DTE_ADDR, phys(DIR));
	wr(e, MMU + MMU_INT_MASK, MMU_INT_PAGE_FAULT | MMU_INT_READ_BUS_ERROR);
	wr(e, MMU + MMU_COMMAND, MMU_COMMAND_ENABLE_PAGING);
	wr(e, GP_INT_MASK, GP_IRQ_PLBU_END | GP_IRQ_BUS_ERROR | GP_IRQ_WRITE_BOUND);
}

/* A list that stores val to va, and ends. */
static void store_list(struct env *e, uint32_t va, uint32_t val)
{
	uint32_t *l = page(e, LIST);

	l[0] = val;
	l[1] = 0x10000000 | PLBU_REG_INDICES;
	l[2] = va;
	l[3] = 0xa0000000 | PLBU_REG_INDICES;
	l[4] = 0;
	l[5] = PLBU_W1_END;
}

static void work(struct env *e)
{
	for (int i = 0; i < 10000 && model_step(e->model); i++)
		;
}

static void go(struct env *e)
{
	wr(e, GP_PLBUCL_START, VA_LIST);
	wr(e, GP_PLBUCL_END, VA_LIST + 24);
	wr(e, GP_CMD, GP_CMD_START_PLBU);
	work(e);
}

/* Ran to its end; the interrupt is up, and goes down. */
static void ended(struct env *e)
{
	assert_int_equal(rd(e, GP_STATUS), 0);
	assert_int_equal(rd(e, GP_INT_STAT), GP_IRQ_PLBU_END);
	assert_true(e->irq[0]);
	wr(e, GP_INT_CLEAR, GP_IRQ_PLBU_END);
	assert_int_equal(rd(e, GP_INT_STAT), 0);
	work(e);
	assert_false(e->irq[0]);
}

/* The same of a list that stores val at the start of a page of data, as the MMU has it. */
static void stores(struct env *e, uint32_t val)
{
	store_list(e, VA_DATA, val);
	go(e);
	ended(e);
}

static void fault(struct env *e, uint32_t va, bool write)
{
	uint32_t status = rd(e, MMU + MMU_STATUS);

	assert_int_equal(rd(e, MMU + MMU_INT_STATUS), MMU_INT_PAGE_FAULT);
	assert_int_equal(rd(e, MMU + MMU_PAGE_FAULT_ADDR), va);
	assert_true(status & MMU_STATUS_PAGE_FAULT_ACTIVE);
	assert_int_equal(!!(status & MMU_STATUS_FAULT_IS_WRITE), write);
	assert_int_equal(MMU_STATUS_BUS_ID(status), 1);
	assert_true(e->irq[1]);
	assert_true(rd(e, GP_STATUS) & GP_STATUS_PLBU_ACTIVE);
}

/* A fault stops the unit; repaired and resumed, it goes on as if nothing had been. */
static void faults_and_resumes(void **state)
{
	for (int strict = 0; strict <= 1; strict++) {
		start(&e, strict);
		page(&e, TABLE)[1] = 0;
		store_list(&e, VA_DATA, 0xabcd);
		go(&e);
		fault(&e, VA_DATA, true);
		work(&e);
		assert_true(rd(&e, GP_STATUS) & GP_STATUS_PLBU_ACTIVE);
		page(&e, TABLE)[1] = phys(DATA) | RW;
		clear_l2(&e);
		wr(&e, MMU + MMU_INT_CLEAR, MMU_INT_PAGE_FAULT);
		wr(&e, MMU + MMU_COMMAND, MMU_COMMAND_ZAP_CACHE);
		wr(&e, MMU + MMU_COMMAND, MMU_COMMAND_PAGE_FAULT_DONE);
		work(&e);
		ended(&e);
		assert_int_equal(page(&e, DATA)[0], 0xabcd);
		assert_int_equal(e.reports, 0);
	}
}

/* Memory that the driver has not mapped for the device, or not any more. */
static void not_mapped_for_dma(void **state)
{
	static const struct {
		unsigned int page;
		const char *says;
	} row[] = {
		{ DATA, "gp: write of 00401000 in page 80003000, which is not mapped for DMA" },
		{ LIST, "gp: read of 00400000 in page 80002000, which is not mapped for DMA" },
		{ TABLE, "page table in page 80001000, which is not mapped for DMA" },
	};

	for (unsigned int i = 0; i < COUNT(row); i++) {
		for (int strict = 0; strict <= 1; strict++) {
			start(&e, strict);
			e.mapped[row[i].page] = 0;
			store_list(&e, VA_DATA, 1);
			go(&e);
			assert_int_equal(!!e.reports, strict);
			if (strict && !strstr(e.first, row[i].says))
				fail_msg("report '%s' instead of '%s'", e.first, row[i].says);
		}
	}
}

/* Memory of a client that has no jobs, by a page table that is wrong. */
static void witness(void **state)
{
	static const uint32_t words[] = LIMN_WITNESS;

	for (int strict = 0; strict <= 1; strict++) {
		start(&e, strict);
		memcpy(page(&e, DATA), words, sizeof(words));
		page(&e, OTHER)[0] = words[0];
		page(&e, TABLE)[2] = phys(OTHER) | RW;
		store_list(&e, VA_DATA + 4096, 1);
		go(&e);
		assert_int_equal(e.reports, 0);
		store_list(&e, VA_DATA, 1);
		clear_l2(&e);
		go(&e);
		assert_int_equal(e.reports, strict);
		if (strict)
			assert_non_null(strstr(e.first, "page 00401000, mapped to 80003000, is a witness's"));
	}
}

static void fault_kinds(void **state)
{
	/* A page that may be read only. */
	start(&e, false);
	page(&e, TABLE)[1] = phys(DATA) | MMU_ENTRY_PRESENT | MMU_ENTRY_READ;
	store_list(&e, VA_DATA + 8, 1);
	go(&e);
	fault(&e, VA_DATA + 8, true);
	/* No table at all, for the list. */
	start(&e, false);
	page(&e, DIR)[1] = 0;
	go(&e);
	fault(&e, VA_LIST, false);
	/* A stall is refused while a fault is active; a hard reset ends both. */
	start(&e, false);
	page(&e, TABLE)[0] = 0;
	go(&e);
	wr(&e, MMU + MMU_COMMAND, MMU_COMMAND_ENABLE_STALL);
	assert_false(rd(&e, MMU + MMU_STATUS) & MMU_STATUS_STALL_ACTIVE);
	wr(&e, MMU + MMU_COMMAND, MMU_COMMAND_HARD_RESET);
	poll(&e, MMU + MMU_DTE_ADDR, ~0u, 0);
	assert_int_equal(rd(&e, MMU + MMU_INT_RAWSTAT), 0);
	assert_false(e.irq[1]);
}

static void bus_errors(void **state)
{
	/* A table outside memory. */
	start(&e, false);
	page(&e, DIR)[1] = 0x10000000 | MMU_ENTRY_PRESENT;
	go(&e);
	assert_int_equal(rd(&e, MMU + MMU_INT_STATUS), MMU_INT_READ_BUS_ERROR);
	/* A page outside memory: the GP's own error. */
	start(&e, false);
	page(&e, TABLE)[1] = 0x10000000 | RW;
	store_list(&e, VA_DATA, 1);
	go(&e);
	assert_int_equal(rd(&e, MMU + MMU_INT_STATUS), 0);
	assert_int_equal(rd(&e, GP_INT_STAT), GP_IRQ_BUS_ERROR);
	assert_int_equal(rd(&e, GP_BUS_ERROR_STAT), VA_DATA);
	assert_true(rd(&e, GP_STATUS) & GP_STATUS_BUS_ERROR);
	/* A write outside the bounds that the driver set. */
	start(&e, false);
	wr(&e, GP_WRITE_BOUND_LOW, VA_DATA + 16);
	store_list(&e, VA_DATA, 1);
	go(&e);
	assert_int_equal(rd(&e, GP_INT_STAT), GP_IRQ_WRITE_BOUND);
	assert_int_equal(page(&e, DATA)[0], 0);
}

/* Strict: a TLB entry lives until it is zapped, and its use is told. */
static void stale_tlb(void **state)
{
	start(&e, true);
	stores(&e, 1);
	set_dte(&e, DIR2, false);
	clear_l2(&e);
	e.reports = 0;
	stores(&e, 2);
	assert_int_equal(page(&e, OTHER)[0], 0);
	assert_int_equal(page(&e, DATA)[0], 2);
	assert_in_range(e.reports, 2, 3);
	assert_non_null(strstr(e.last, "stale TLB"));
	/* One page forgotten is enough for that page. */
	e.reports = 0;
	wr(&e, MMU + MMU_ZAP_ONE_LINE, VA_DATA);
	clear_l2(&e);
	stores(&e, 3);
	assert_int_equal(page(&e, OTHER)[0], 3);
	/* The whole: nothing left to tell. */
	set_dte(&e, DIR, true);
	clear_l2(&e);
	e.reports = 0;
	stores(&e, 4);
	assert_int_equal(page(&e, DATA)[0], 4);
	assert_int_equal(e.reports, 0);
}

/* Strict: the L2 serves what it has read before, until it is cleared. */
static void stale_l2(void **state)
{
	for (int how = 0; how < 3; how++) {
		start(&e, true);
		stores(&e, 1);
		store_list(&e, VA_DATA, 2);
		if (how == 1)
			clear_l2(&e);
		if (how == 2) {
			wr(&e, L2 + L2_CLEAR_PAGE, phys(LIST));
			poll(&e, L2 + L2_STATUS, L2_STATUS_COMMAND_BUSY, 0);
		}
		go(&e);
		ended(&e);
		assert_int_equal(page(&e, DATA)[0], how ? 2 : 1);
		assert_int_equal(e.reports != 0, how == 0);
		if (!how)
			assert_non_null(strstr(e.last, "stale l2_cache0 line"));
	}
	/* Lenient: no driver is punished. */
	start(&e, false);
	stores(&e, 1);
	stores(&e, 2);
	assert_int_equal(page(&e, DATA)[0], 2);
}

/* Strict: each breach of the order rules is told, with its name. */
static void order_rules(void **state)
{
	static const struct {
		const char *says;
		uint32_t writes[2][2];	/* register, value; without a second one it is not written */
	} rows[] = {
		{ "neither stalled nor faulted", { { MMU + MMU_DTE_ADDR, DMA + 4096 * DIR2 } } },
		{ "paging off", { { MMU + MMU_COMMAND, MMU_COMMAND_DISABLE_PAGING }, { GP_CMD, GP_CMD_START_PLBU } } },
		{ "is stalled", { { MMU + MMU_COMMAND, MMU_COMMAND_ENABLE_STALL }, { GP_CMD, GP_CMD_START_PLBU } } },
		{ "masked", { { MMU + MMU_INT_MASK, 0 }, { GP_CMD, GP_CMD_START_PLBU } } },
		{ "unknown register", { { 0x7c, 1 } } },
		{ "still runs", { { GP_CMD, GP_CMD_START_PLBU } } },
	};

	for (unsigned int i = 0; i < COUNT(rows); i++) {
		start(&e, true);
		store_list(&e, VA_DATA, 1);
		if (i == COUNT(rows) - 1) {
			/* The list leads to itself. */
			page(&e, LIST)[4] = VA_LIST;
			page(&e, LIST)[5] = 0xf0000000;
			go(&e);
		}
		wr(&e, rows[i].writes[0][0], rows[i].writes[0][1]);
		/* Writes are posted, and a read pushes them; a stall takes a few looks. */
		for (int n = 0; n < 10; n++)
			rd(&e, MMU + MMU_STATUS);
		if (rows[i].writes[1][0])
			wr(&e, rows[i].writes[1][0], rows[i].writes[1][1]);
		rd(&e, GP_VERSION);
		assert_int_equal(e.reports, 1);
		assert_non_null(strstr(e.last, rows[i].says));
	}
}

/* The GP raises an interrupt. */
static void force_hang(struct env *e)
{
	wr(e, GP_INT_MASK, GP_IRQ_FORCE_HANG);
	wr(e, GP_CMD, GP_CMD_FORCE_HANG);
}

/* Strict: posted writes land late, in order; and the same seed gives the same run. */
static void posted_writes(void **state)
{
	int late = 0;

	start(&e, true);
	for (int i = 0; i < 32; i++) {
		force_hang(&e);
		late += !e.irq[0];
		assert_int_equal(rd(&e, GP_INT_STAT), GP_IRQ_FORCE_HANG);
		wr(&e, GP_INT_CLEAR, GP_IRQ_FORCE_HANG);
		rd(&e, GP_INT_STAT);
		work(&e);
	}
	assert_int_equal(late, 32);
}

/* Strict: a line rises late, and sometimes for nothing; it never stays up without cause. */
static void interrupts(void **state)
{
	unsigned int late = 0, spurious = 0;

	start(&e, true);
	for (int i = 0; i < 400; i++) {
		force_hang(&e);
		rd(&e, GP_INT_STAT);
		late += !e.irq[0];
		work(&e);
		assert_true(e.irq[0]);
		wr(&e, GP_INT_CLEAR, GP_IRQ_FORCE_HANG);
		rd(&e, GP_INT_STAT);
		assert_false(e.irq[0]);
		while (model_step(e.model))
			spurious += e.irq[0];
		assert_false(e.irq[0]);
	}
	assert_in_range(late, 200, 399);
	assert_in_range(spurious, 5, 100);
}

/* Counters count what a job does, from their enabling on; a limit raises an interrupt. */
static void counters(void **state)
{
	start(&e, true);
	store_list(&e, VA_DATA, 1);
	wr(&e, GP_PERF_CNT_0_SRC, 0x07);	/* words written */
	wr(&e, GP_PERF_CNT_0_ENABLE, 1);
	wr(&e, GP_PERF_CNT_1_SRC, 0x06);	/* words read */
	go(&e);
	ended(&e);
	assert_int_equal(rd(&e, GP_PERF_CNT_0_VALUE), 1);
	assert_int_equal(rd(&e, GP_PERF_CNT_1_VALUE), 0);
	wr(&e, GP_PERF_CNT_1_ENABLE, 1);
	go(&e);
	ended(&e);
	assert_int_equal(rd(&e, GP_PERF_CNT_0_VALUE), 2);
	assert_int_equal(rd(&e, GP_PERF_CNT_1_VALUE), 3);
	assert_int_equal(rd(&e, GP_INT_RAWSTAT) & GP_IRQ_PERF_CNT_0_LIMIT, 0);
	wr(&e, GP_PERF_CNT_0_LIMIT, 2);
	go(&e);
	ended(&e);
	assert_int_equal(rd(&e, GP_INT_RAWSTAT) & GP_IRQ_PERF_CNT_0_LIMIT, GP_IRQ_PERF_CNT_0_LIMIT);
	assert_int_equal(e.reports, 0);
	wr(&e, GP_PERF_CNT_0_SRC, 0x15);
	rd(&e, GP_VERSION);
	assert_int_equal(e.reports, 1);
}

#define TESTS(T) \
	T(faults_and_resumes) T(not_mapped_for_dma) T(witness) T(fault_kinds) T(bus_errors) T(stale_tlb) \
	T(stale_l2) T(order_rules) T(posted_writes) T(interrupts) T(counters)

UNIT_MAIN(TESTS, end)
