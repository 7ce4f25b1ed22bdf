// SPDX-License-Identifier: MIT
/* MMUs of a Vivante core: one TLB for each port; tables and exceptions are in mmu_v1.c and mmu_v2.c. */
#include <errno.h>
#include <stdlib.h>

#include "model/vivante/internal.h"

struct viv_mmu *viv_mmu_of(struct mmu *mmu)
{
	return (struct viv_mmu *)((char *)mmu - offsetof(struct viv_mmu, m));
}

bool viv_mmu_blocked(const struct mmu *mmu)
{
	return ((const struct viv_mmu *)mmu)->faulted;
}

int viv_mmus_init(struct vivante *v)
{
	const struct mmu_ops *ops = v->chip->mmu_v2 ? &viv_mmu_v2_ops : &viv_mmu_v1_ops;

	v->mmus = calloc(1, sizeof(*v->mmus));
	if (!v->mmus)
		return -ENOMEM;
	for (unsigned int i = 0; i < VIV_NUM_PORTS; i++) {
		v->mmus->port[i].port = i;
		if (mmu_init(&v->mmus->port[i].m, ops, &v->u))
			return -ENOMEM;
		mmu_paging(&v->mmus->port[i].m, true);
	}
	return 0;
}

void viv_mmus_destroy(struct vivante *v)
{
	for (unsigned int i = 0; v->mmus && i < VIV_NUM_PORTS; i++)
		mmu_destroy(&v->mmus->port[i].m);
	free(v->mmus);
}

void viv_mmus_flush(struct vivante *v, unsigned int ports)
{
	for (unsigned int i = 0; i < VIV_NUM_PORTS; i++) {
		if (ports >> i & 1)
			mmu_zap(&v->mmus->port[i].m);
	}
}

void viv_mmus_reset(struct vivante *v)
{
	struct viv_mmus *m = v->mmus;

	viv_mmus_flush(v, ~0u);
	for (unsigned int i = 0; i < VIV_NUM_PORTS; i++)
		m->port[i].faulted = false;
	unit_clear(m, mtlb);
}

bool viv_mmus_faulted(const struct vivante *v)
{
	for (unsigned int i = 0; i < VIV_NUM_PORTS; i++) {
		if (v->mmus->port[i].faulted)
			return true;
	}
	return false;
}

/* The bus answers with an error; the port waits for its data until reset. */
void viv_mmu_bus_error(struct viv_mmu *mmu, struct unit *u, uint32_t va, bool write)
{
	struct vivante *v = viv_of(u);

	mmu->faulted = true;
	/* GUESS(axi-status-id): the ids that AXI_STATUS shows are the ports' numbers. */
	if (write)
		v->host->axi_status |= VIVS_HI_AXI_STATUS_DET_WR_ERR | VIV_SET(VIVS_HI_AXI_STATUS_WR_ERR_ID, mmu->port);
	else
		v->host->axi_status |= VIVS_HI_AXI_STATUS_DET_RD_ERR | VIV_SET(VIVS_HI_AXI_STATUS_RD_ERR_ID, mmu->port);
	viv_interrupt(v, VIVS_HI_INTR_ACKNOWLEDGE_AXI_BUS_ERROR);
}
