// SPDX-License-Identifier: MIT
/*
 * A screen for clients that want one (kmscube, glmark2-es2-drm), where there is none: preloaded, it answers libdrm's
 * calls of modes with one display, shows nothing, and keeps a picture of every frame: SCREEN_DIR/NNNN.png. The
 * client's GPU is a render node; Mesa's GBM makes the buffers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <drm_fourcc.h>
#include <gbm.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#include "../png_io.h"

#define WIDTH	800	/* what glmark2's expected pixels are of */
#define HEIGHT	600
#define ID	1	/* of the connector, the encoder and the CRTC */

static void *flip;	/* user data of the flip whose event nobody has fetched */
static int flip_pending, frames;

/*
 * A row more than there is, until the client makes its surface: glmark2 2023.01 forgets to make one where the display
 * is as large as the window that it wants.
 */
static drmModeModeInfo *mode;

static uint32_t *one_id(void)
{
	uint32_t *id = malloc(sizeof(*id));

	*id = ID;
	return id;
}

drmModeResPtr drmModeGetResources(int fd)
{
	drmModeRes *r = calloc(1, sizeof(*r));

	r->count_crtcs = r->count_connectors = r->count_encoders = 1;
	r->crtcs = one_id();
	r->connectors = one_id();
	r->encoders = one_id();
	r->max_width = r->max_height = 4096;
	return r;
}

drmModeConnectorPtr drmModeGetConnector(int fd, uint32_t id)
{
	drmModeConnector *c = calloc(1, sizeof(*c));

	c->connector_id = c->encoder_id = ID;
	c->connector_type = DRM_MODE_CONNECTOR_VIRTUAL;
	c->connection = DRM_MODE_CONNECTED;
	c->count_modes = c->count_encoders = 1;
	mode = c->modes = calloc(1, sizeof(*mode));
	mode->hdisplay = WIDTH;
	mode->vdisplay = HEIGHT + 1;
	mode->vrefresh = 60;
	mode->type = DRM_MODE_TYPE_PREFERRED | DRM_MODE_TYPE_DRIVER;
	strcpy(mode->name, "screen");
	c->encoders = one_id();
	return c;
}

drmModeEncoderPtr drmModeGetEncoder(int fd, uint32_t id)
{
	drmModeEncoder *e = calloc(1, sizeof(*e));

	e->encoder_id = e->crtc_id = e->possible_crtcs = ID;
	return e;
}

drmModeCrtcPtr drmModeGetCrtc(int fd, uint32_t id)
{
	drmModeCrtc *c = calloc(1, sizeof(*c));

	c->crtc_id = ID;
	c->width = WIDTH;
	c->height = HEIGHT;
	c->mode_valid = 1;
	return c;
}

int drmModeSetCrtc(int fd, uint32_t crtc, uint32_t buffer, uint32_t x, uint32_t y, uint32_t *connectors, int count,
		   drmModeModeInfoPtr to)
{
	return 0;
}

int drmModeAddFB2(int fd, uint32_t width, uint32_t height, uint32_t format, const uint32_t handles[4],
		  const uint32_t pitches[4], const uint32_t offsets[4], uint32_t *id, uint32_t flags)
{
	*id = ID;
	return 0;
}

int drmModeAddFB2WithModifiers(int fd, uint32_t width, uint32_t height, uint32_t format, const uint32_t handles[4],
			       const uint32_t pitches[4], const uint32_t offsets[4], const uint64_t modifier[4],
			       uint32_t *id, uint32_t flags)
{
	*id = ID;
	return 0;
}

int drmModeRmFB(int fd, uint32_t id)
{
	return 0;
}

int drmSetMaster(int fd)
{
	return 0;
}

/* --- Flips: done at once ---------------------------------------------------------- */

int drmModePageFlip(int fd, uint32_t crtc, uint32_t buffer, uint32_t flags, void *data)
{
	flip = data;
	flip_pending = flags & DRM_MODE_PAGE_FLIP_EVENT;
	return 0;
}

int drmHandleEvent(int fd, drmEventContextPtr context)
{
	if (flip_pending && context->page_flip_handler)
		context->page_flip_handler(fd, 0, 0, 0, flip);
	flip_pending = 0;
	return 0;
}

/* The display is the file with the highest number; 0 is the keyboard. */
int select(int n, fd_set *reads, fd_set *writes, fd_set *errors, struct timeval *timeout)
{
	if (n)
		FD_CLR(0, reads);
	return 1;
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	int (*real)(struct pollfd *, nfds_t, int) = dlsym(RTLD_NEXT, "poll");

	if (!flip_pending || !n)
		return real(fds, n, timeout);
	for (nfds_t i = 0; i < n; i++)
		fds[i].revents = fds[i].events & POLLIN;
	return 1;
}

struct gbm_surface *gbm_surface_create(struct gbm_device *gbm, uint32_t width, uint32_t height, uint32_t format,
				       uint32_t flags)
{
	struct gbm_surface *(*real)(struct gbm_device *, uint32_t, uint32_t, uint32_t, uint32_t) =
		dlsym(RTLD_NEXT, "gbm_surface_create");

	if (mode)
		mode->vdisplay = HEIGHT;
	return real(gbm, WIDTH, HEIGHT, format, flags);
}

/* --- Pictures ------------------------------------------------------------------- */

static void keep(struct gbm_bo *bo, const char *dir)
{
	uint32_t width = gbm_bo_get_width(bo), height = gbm_bo_get_height(bo), stride;
	unsigned char *rgba = malloc((size_t)width * height * 4);
	char path[4096];
	void *map_data = NULL;
	const unsigned char *map = NULL;

	/* Mesa waits for a second; a frame of glmark2 takes the model longer. */
	for (int tries = 0; !map && tries < 60; tries++)
		map = gbm_bo_map(bo, 0, 0, width, height, GBM_BO_TRANSFER_READ, &stride, &map_data);
	for (uint32_t i = 0; map && rgba && i < width * height; i++) {
		const unsigned char *bgra = map + i / width * stride + i % width * 4;

		rgba[4 * i] = bgra[2];
		rgba[4 * i + 1] = bgra[1];
		rgba[4 * i + 2] = bgra[0];
		rgba[4 * i + 3] = 255;
	}
	snprintf(path, sizeof(path), "%s/%04d.png", dir, frames++);
	if (!map || !rgba || png_store(path, width, height, rgba))
		fprintf(stderr, "screen: no picture %s\n", path);
	if (map)
		gbm_bo_unmap(bo, map_data);
	free(rgba);
}

struct gbm_bo *gbm_surface_lock_front_buffer(struct gbm_surface *surface)
{
	struct gbm_bo *(*real)(struct gbm_surface *) = dlsym(RTLD_NEXT, "gbm_surface_lock_front_buffer");
	struct gbm_bo *bo = real(surface);
	const char *dir = getenv("SCREEN_DIR");

	if (bo && dir)
		keep(bo, dir);
	return bo;
}
