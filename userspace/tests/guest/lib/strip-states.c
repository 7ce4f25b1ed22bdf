// SPDX-License-Identifier: MIT
/*
 * strip-states.so: a client of the etnaviv ABI, as it is, whose streams load all
 * but some states. LIMN_STRIP=FIRST-LAST[,FIRST-LAST...]: byte addresses, in hex.
 * A load that touches one of them becomes NOPs, with its relocations.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <drm/etnaviv_drm.h>
#include <limn/vivante/cmdstream.h>

#define SUBMIT	DRM_IOWR(DRM_COMMAND_BASE + DRM_ETNAVIV_GEM_SUBMIT, struct drm_etnaviv_gem_submit)

static int is_stripped(uint32_t first, uint32_t last)
{
	const char *at = getenv("LIMN_STRIP");
	unsigned int low, high;
	int length;

	for (; at && sscanf(at, "%x-%x%n", &low, &high, &length) == 2; at += *at == ',') {
		at += length;
		if (first <= high && last >= low)
			return 1;
	}
	return 0;
}

static void drop_relocs(struct drm_etnaviv_gem_submit *req, uint32_t first, uint32_t last)
{
	struct drm_etnaviv_gem_submit_reloc *relocs = (void *)(uintptr_t)req->relocs;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < req->nr_relocs; i++)
		if (relocs[i].submit_offset / 4 < first || relocs[i].submit_offset / 4 >= last)
			relocs[kept++] = relocs[i];
	req->nr_relocs = kept;
}

static void *copy(uint64_t from, size_t size)
{
	void *to = malloc(size + 1);

	return to ? memcpy(to, (const void *)(uintptr_t)from, size) : NULL;
}

static void strip(struct drm_etnaviv_gem_submit *req)
{
	uint32_t *words = copy(req->stream, req->stream_size);

	req->relocs = (uintptr_t)copy(req->relocs, req->nr_relocs * sizeof(struct drm_etnaviv_gem_submit_reloc));
	req->stream = (uintptr_t)words;
	for (uint32_t i = 0, length; i < req->stream_size / 4; i += length) {
		uint32_t address = viv_fe_load_address(words[i]);

		length = viv_fe_command_words(words[i]);
		if (VIV_GET(VIV_FE_OPCODE, words[i]) != FE_OPCODE_LOAD_STATE ||
		    !is_stripped(address, address + 4 * viv_fe_load_count(words[i]) - 4))
			continue;
		for (uint32_t k = 0; k < length; k++)
			words[i + k] = k % 2 ? 0 : VIV_FE_COMMAND(NOP);
		drop_relocs(req, i, i + length);
	}
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int fd, unsigned long request, void *arg);
	struct drm_etnaviv_gem_submit mine, *theirs;
	va_list args;
	void *arg;
	int ret;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (!real)
		real = (int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
	if (request != SUBMIT)
		return real(fd, request, arg);
	theirs = arg;
	mine = *theirs;
	strip(&mine);
	ret = real(fd, request, &mine);
	theirs->fence = mine.fence;
	theirs->fence_fd = mine.fence_fd;
	free((void *)(uintptr_t)mine.stream);
	free((void *)(uintptr_t)mine.relocs);
	return ret;
}
