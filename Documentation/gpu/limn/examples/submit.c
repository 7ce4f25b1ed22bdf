// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <drm/lima_drm.h>
#include <drm/limn_drm.h>

/*
 * A frame of a Mali-400 in one ioctl: the geometry processor writes the lists, the
 * pixel processors read them and write the picture, and the syncobj signals when that
 * is done. *first_id is the number of the first of the two jobs. 0 or -errno.
 */
int example_submit_frame(int fd, __u32 ctx, const struct drm_lima_gp_frame *gp,
			 const struct drm_lima_m400_pp_frame *pp, __u32 lists, __u32 picture,
			 __u32 syncobj, __u64 *first_id)
{
	const struct drm_limn_sync done = { .handle = syncobj };
	const struct drm_limn_submit_bo bos[] = {
		{ .handle = lists, .read = 1 << 0 | 1 << 1, .write = 1 << 0 },
		{ .handle = picture, .write = 1 << 1 },
	};
	const struct drm_limn_job jobs[] = {
		{
			.queue = LIMA_PIPE_GP,
			.cmd = (uintptr_t)gp,
			.cmd_size = sizeof(*gp),
		}, {
			.queue = LIMA_PIPE_PP,
			.cmd = (uintptr_t)pp,
			.cmd_size = sizeof(*pp),
			.wait_jobs = 1 << 0,
			.out_syncs = DRM_LIMN_ARRAY(&done, 1),
		},
	};
	struct drm_limn_submit req = {
		.ctx = ctx,
		.jobs = DRM_LIMN_ARRAY(jobs, 2),
		.bos = DRM_LIMN_ARRAY(bos, 2),
	};

	if (ioctl(fd, DRM_IOCTL_LIMN_SUBMIT, &req))
		return -errno;
	*first_id = req.first_id;
	return 0;
}
