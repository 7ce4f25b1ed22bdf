/* SPDX-License-Identifier: MIT */
/*
 * Small jobs by hand, from the words of include/limn/utgard (in an IGT tree
 * that folder has to be on the include path).
 */
#ifndef LIMA_JOBS_H
#define LIMA_JOBS_H

#include "lima_lib.h"

#define LIMA_PICTURE	64u	/* pixels each way */

/* Opens a file; the PP jobs' empty polygon lists are written by a GP job of its own. */
struct gpu_client lima_client_new(void);
/* The same on a file that is already open. */
struct gpu_client lima_client_on(int fd);
/* Frees what it holds one by one; the file too. */
void lima_client_free(struct gpu_client *c);

/* A GP job that stores value at target[index]. PLBU only. */
struct lima_job lima_gp_store(struct gpu_client *c, uint32_t index, uint32_t value);
/* A PP job that clears the picture in target to rgba (red lowest), no shader. */
struct lima_job lima_pp_clear(struct gpu_client *c, uint32_t rgba);
/* The same on Mali-450, whose load balancer gives the tiles to the cores. */
struct lima_job lima_pp_clear_dlbu(struct gpu_client *c, uint32_t rgba);
/* Fails the subtest unless the whole picture is rgba. */
void lima_check_picture(const struct gpu_client *c, uint32_t rgba);

/* Jobs that never end: a PLBU list that jumps to itself, a polygon list that does. */
struct lima_job lima_gp_endless(struct gpu_client *c);
struct lima_job lima_pp_endless(struct gpu_client *c);
/* A PP job that draws one triangle, whose shader branches to itself. */
struct lima_job lima_pp_endless_shader(struct gpu_client *c);
/* Gives a GP job a list of the VS that does nothing, if @vs, and takes that of the PLBU away, if not @plbu. */
void lima_gp_lists(struct gpu_client *c, struct lima_job *job, bool vs, bool plbu);
/* Jobs whose lists lie where nothing is mapped. */
struct lima_job lima_gp_unmapped(struct gpu_client *c);
struct lima_job lima_pp_unmapped(struct gpu_client *c);
/* Jobs whose lists hold a command that does not exist. */
struct lima_job lima_gp_invalid(struct gpu_client *c);
struct lima_job lima_gp_count(struct gpu_client *c);
struct lima_job lima_gp_semaphore(struct gpu_client *c);
struct lima_job lima_pp_invalid(struct gpu_client *c);
/* A GP job with many commands: runs long, but ends. Then as lima_gp_store(). */
struct lima_job lima_gp_long(struct gpu_client *c, uint32_t index, uint32_t value);

/* An address that no BO has been given. */
uint32_t lima_hole(const struct gpu_client *c);

/* Both kinds of job end well and do what they should: the GPU is all right. */
void lima_check_works(struct gpu_client *c);
/* The same with a client of its own. */
void lima_check_gpu(void);

#endif
