// SPDX-License-Identifier: GPL-2.0-only
/*
 * The carrier's kernel half: puts the model process under a User Mode Linux
 * kernel as a platform device of the device tree. The driver above sees plain
 * iomem, level interrupts, clocks and a reset line, nothing of this file.
 *
 *   gpu@e0000000	a logic_iomem region; each access is a mailbox entry
 *   limn,uml-intc	level interrupts, two cells: line, IRQ_TYPE_LEVEL_HIGH
 *   limn,uml-crg	clocks 0 (bus) and 1 (core), reset 0
 *
 * Guest RAM is one file that the model maps too; DMA addresses are physical
 * addresses, which are offsets into that file.
 */
#include <linux/clk-provider.h>
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/irqdomain.h>
#include <linux/logic_iomem.h>
#include <linux/moduleparam.h>
#include <linux/of.h>
#include <linux/panic.h>
#include <linux/reset-controller.h>
#include <linux/seq_file.h>
#include <as-layout.h>
#include <init.h>
#include <irq_kern.h>
#include <irq_user.h>
#include <mem.h>
#include <os.h>
#include "limn_mailbox.h"
#include "limn_uml.h"

#define WINDOW_BASE	0xe0000000
#define WINDOW_SIZE	0x01000000
#define LINES		32

extern unsigned long long physmem_size;

static char *model;
module_param(model, charp, 0444);
MODULE_PARM_DESC(model, "model program on the host; none: no GPU");
static char *args;
module_param(args, charp, 0444);
MODULE_PARM_DESC(args, "its arguments, separated by commas");

static bool running;

/* The mailbox has one producer at a time, and one place for an answer. */
static DEFINE_RAW_SPINLOCK(mailbox_lock);

static unsigned int ask(unsigned int op, unsigned int offset)
{
	unsigned long flags;
	unsigned int value;

	raw_spin_lock_irqsave(&mailbox_lock, flags);
	value = limn_model_ask(op, offset);
	raw_spin_unlock_irqrestore(&mailbox_lock, flags);
	return value;
}

static void post(unsigned int op, unsigned int offset, unsigned int value)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mailbox_lock, flags);
	limn_model_post(op, offset, value);
	raw_spin_unlock_irqrestore(&mailbox_lock, flags);
}

/* Register window. */

static unsigned long window_read(void *priv, unsigned int offset, int size)
{
	if (WARN_ONCE(size != 4, "limn: %d-byte read at 0x%x\n", size, offset))
		return ~0ul;
	return ask(LIMN_MBOX_READ, offset);
}

static void window_write(void *priv, unsigned int offset, int size, unsigned long value)
{
	if (WARN_ONCE(size != 4, "limn: %d-byte write at 0x%x\n", size, offset))
		return;
	post(LIMN_MBOX_WRITE, offset, value);
}

static const struct logic_iomem_ops window_ops = {
	.read = window_read,
	.write = window_write,
};

static long window_map(unsigned long offset, size_t size, const struct logic_iomem_ops **ops,
		       void **priv)
{
	*ops = &window_ops;
	return offset;
}

static const struct logic_iomem_region_ops window_region_ops = { .map = window_map };

static struct resource window = {
	.name = "limn",
	.start = WINDOW_BASE,
	.end = WINDOW_BASE + WINDOW_SIZE - 1,
	.flags = IORESOURCE_MEM,
};

/* Interrupts. All of this runs with this CPU's interrupts off; the handler runs on one CPU. */

static struct {
	struct irq_domain *domain;
	raw_spinlock_t lock;		/* protects the fields below */
	unsigned int unmasked;		/* bit per line */
	bool handling;
} intc = { .lock = __RAW_SPIN_LOCK_UNLOCKED(intc.lock) };

static void intc_mask(struct irq_data *data)
{
	raw_spin_lock(&intc.lock);
	intc.unmasked &= ~BIT(irqd_to_hwirq(data));
	raw_spin_unlock(&intc.lock);
}

static void intc_unmask(struct irq_data *data)
{
	unsigned int bit = BIT(irqd_to_hwirq(data));

	raw_spin_lock(&intc.lock);
	intc.unmasked |= bit;
	/* It went up while masked: a level is not forgotten. */
	if (!intc.handling && (limn_model_levels() & bit))
		limn_model_irq_kick();
	raw_spin_unlock(&intc.lock);
}

/* Lines that are up and not masked. None: the handler ends. */
static unsigned long intc_pending(void)
{
	unsigned long pending;

	raw_spin_lock(&intc.lock);
	pending = limn_model_levels() & intc.unmasked;
	intc.handling = pending;
	raw_spin_unlock(&intc.lock);
	return pending;
}

static int intc_set_type(struct irq_data *data, unsigned int type)
{
	return type == IRQ_TYPE_LEVEL_HIGH ? 0 : -EINVAL;
}

static struct irq_chip intc_chip = {
	.name = "limn",
	.irq_mask = intc_mask,
	.irq_unmask = intc_unmask,
	.irq_set_type = intc_set_type,
	.flags = IRQCHIP_SKIP_SET_WAKE,
};

static int intc_map(struct irq_domain *domain, unsigned int irq, irq_hw_number_t line)
{
	if (line >= LINES)
		return -EINVAL;
	irq_set_chip_and_handler(irq, &intc_chip, handle_level_irq);
	return 0;
}

static const struct irq_domain_ops intc_ops = {
	.map = intc_map,
	.xlate = irq_domain_xlate_twocell,
};

static irqreturn_t intc_handler(int irq, void *data)
{
	unsigned long pending;
	unsigned int line;

	limn_model_irq_ack();
	while ((pending = intc_pending()) != 0) {
		for_each_set_bit(line, &pending, LINES)
			generic_handle_domain_irq(intc.domain, line);
		/* The handler's acknowledge may still be on its way. */
		ask(LIMN_MBOX_SYNC, 0);
	}
	return IRQ_HANDLED;
}

/* Clocks and reset. */

static unsigned int gates;

struct gate {
	struct clk_hw hw;
	unsigned int bit;
	unsigned long rate;
};

static int gate_enable(struct clk_hw *hw)
{
	gates |= container_of(hw, struct gate, hw)->bit;
	post(LIMN_MBOX_CLOCKS, 0, gates);
	return 0;
}

static void gate_disable(struct clk_hw *hw)
{
	gates &= ~container_of(hw, struct gate, hw)->bit;
	post(LIMN_MBOX_CLOCKS, 0, gates);
}

static int gate_is_enabled(struct clk_hw *hw)
{
	return !!(gates & container_of(hw, struct gate, hw)->bit);
}

static unsigned long gate_recalc_rate(struct clk_hw *hw, unsigned long parent_rate)
{
	return container_of(hw, struct gate, hw)->rate;
}

static int gate_determine_rate(struct clk_hw *hw, struct clk_rate_request *req)
{
	return 0;	/* any rate is fine: the model has no notion of speed */
}

static int gate_set_rate(struct clk_hw *hw, unsigned long rate, unsigned long parent_rate)
{
	container_of(hw, struct gate, hw)->rate = rate;
	return 0;
}

static const struct clk_ops gate_ops = {
	.enable = gate_enable,
	.disable = gate_disable,
	.is_enabled = gate_is_enabled,
	.recalc_rate = gate_recalc_rate,
	.determine_rate = gate_determine_rate,
	.set_rate = gate_set_rate,
};

static struct gate gate[2] = {
	{ .bit = LIMN_CLOCK_BUS, .rate = 200000000 },
	{ .bit = LIMN_CLOCK_CORE, .rate = 400000000 },
};

static int line_assert(struct reset_controller_dev *rcdev, unsigned long id)
{
	post(LIMN_MBOX_RESET, 0, 1);
	return 0;
}

static int line_deassert(struct reset_controller_dev *rcdev, unsigned long id)
{
	post(LIMN_MBOX_RESET, 0, 0);
	return 0;
}

static const struct reset_control_ops line_ops = {
	.assert = line_assert,
	.deassert = line_deassert,
};

static struct reset_controller_dev reset_line = {
	.ops = &line_ops,
	.nr_resets = 1,
};

static int __init crg_init(struct device_node *np)
{
	static const char * const name[2] = { "gpu-bus", "gpu-core" };
	static struct {
		struct clk_hw_onecell_data data;
		struct clk_hw *hw[2];
	} clocks = { .data.num = 2 };
	struct clk_init_data init = { .ops = &gate_ops };
	unsigned int i;
	int err;

	/* As a board powers up: gated, in reset. */
	post(LIMN_MBOX_CLOCKS, 0, gates);
	post(LIMN_MBOX_RESET, 0, 1);

	for (i = 0; i < 2; i++) {
		init.name = name[i];
		gate[i].hw.init = &init;
		err = clk_hw_register(NULL, &gate[i].hw);
		if (err)
			return err;
		clocks.data.hws[i] = &gate[i].hw;
	}
	err = of_clk_add_hw_provider(np, of_clk_hw_onecell_get, &clocks.data);
	if (err)
		return err;
	reset_line.of_node = np;
	return reset_controller_register(&reset_line);
}

static int __init intc_init(struct device_node *np, int fd)
{
	int irq;

	intc.domain = irq_domain_create_linear(of_fwnode_handle(np), LINES, &intc_ops, NULL);
	if (!intc.domain)
		return -ENOMEM;
	irq = um_request_irq(UM_IRQ_ALLOC, fd, IRQ_READ, intc_handler, IRQF_NO_SUSPEND, "limn",
			     &intc);
	return irq < 0 ? irq : 0;
}

/* The model's counters, as text. */

static int stats_show(struct seq_file *file, void *unused)
{
	unsigned long long value;
	const char *name;
	unsigned int i;

	ask(LIMN_MBOX_STATS, 0);
	for (i = 0; (name = limn_model_counter(i, &value)); i++)
		seq_printf(file, "%s %llu\n", name, value);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static int __init stats_init(void)
{
	if (running)
		debugfs_create_file("limn_model", 0444, NULL, NULL, &stats_fops);
	return 0;
}
late_initcall(stats_init);

void limn_model_died(int status)
{
	running = false;
	panic("limn: the model process ended, wait status 0x%x", status);
}

static void limn_exit(void)
{
	if (!running)
		return;
	running = false;
	ask(LIMN_MBOX_QUIT, 0);
}
__uml_exitcall(limn_exit);

/* Before arch_initcall_sync, where the devices of the tree are made. */
static int __init limn_uml_init(void)
{
	struct limn_model_start start = {
		.path = model,
		.args = args,
		.ram_start = __pa(uml_reserved),
		.ram_size = physmem_size - __pa(uml_reserved),
	};
	struct device_node *np;
	unsigned long long offset;
	unsigned short *dma;
	int fd, err;

	if (!model)
		return 0;
	start.ram_fd = phys_mapping(start.ram_start, &offset);
	err = limn_model_start(&start, &fd, &dma);
	if (err)
		panic("limn: cannot start %s: error %d", model, err);
	limn_dma_init(dma, start.ram_start, start.ram_size);
	running = true;

	err = logic_iomem_add_region(&window, &window_region_ops);
	np = of_find_compatible_node(NULL, NULL, "limn,uml-intc");
	if (!err && np)
		err = intc_init(np, fd);
	np = of_find_compatible_node(NULL, NULL, "limn,uml-crg");
	if (!err && np)
		err = crg_init(np);
	if (err)
		panic("limn: the carrier cannot start: error %d", err);
	return 0;
}
arch_initcall(limn_uml_init);
