/* SPDX-License-Identifier: MIT */
/* Clients of GPUs, as the kernel tells of them: /proc/PID/fdinfo, Documentation/gpu/drm-usage-stats.rst of Linux. */
#ifndef LIMN_TOOL_TRACE_CLIENTS_H
#define LIMN_TOOL_TRACE_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLIENT_ENGINES	16

struct client_engine {
	char name[24];
	uint64_t ns;		/* that it has worked for the client */
};

/* An open file of a DRM device; several descriptors of one are one. */
struct client {
	int pid, fd;
	char command[24], driver[24], device[40];
	uint64_t id;		/* drm-client-id; 0: the driver tells none */
	uint64_t total, resident;	/* bytes of memory, of all regions */
	struct client_engine engine[CLIENT_ENGINES];
	uint32_t num_engines;
	uint64_t before[CLIENT_ENGINES];	/* for who reads them twice */
};

struct clients {
	struct client *list;
	size_t num, max;
};

/* Looks for all that there are, but for this process; false: no memory. */
bool clients_find(struct clients *clients);
/* Reads those that are known anew; who has gone is taken out. */
void clients_read(struct clients *clients);
void clients_free(struct clients *clients);

#endif
