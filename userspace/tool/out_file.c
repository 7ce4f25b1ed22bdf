// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/out_file.h"

static int fail(const struct out_file *out, int error, struct limn_error *err)
{
	return limn_fail(err, -1, "%.150s: %s", out->name, strerror(error));
}

int out_open(struct out_file *out, const char *name, struct limn_error *err)
{
	struct stat st;
	bool there = !stat(name, &st);

	*out = (struct out_file){ .name = name };
	if (!*name)
		return fail(out, ENOENT, err);
	if (!strcmp(name, "-")) {
		out->name = "standard output";
		fflush(stdout);
		out->f = fdopen(dup(STDOUT_FILENO), "wb");
		return out->f ? 0 : fail(out, errno, err);
	}
	if (there && !S_ISREG(st.st_mode)) {
		out->f = fopen(name, "wb");
		return out->f ? 0 : fail(out, errno, err);
	}
	if (there && access(name, W_OK))
		return fail(out, errno, err);
	if (there ? !realpath(name, out->path) :
		    (size_t)snprintf(out->path, sizeof(out->path), "%s", name) >= sizeof(out->path))
		return fail(out, there ? errno : ENAMETOOLONG, err);
	if ((size_t)snprintf(out->part, sizeof(out->part), "%s.part", out->path) >= sizeof(out->part)) {
		out->part[0] = 0;
		return fail(out, ENAMETOOLONG, err);
	}
	out->f = fopen(out->part, "wb");
	return out->f ? 0 : fail(out, errno, err);
}

int out_close(struct out_file *out, struct limn_error *err)
{
	int error = 0;

	if (ferror(out->f) | fflush(out->f))
		error = errno ? errno : EIO;
	if (fclose(out->f) && !error)
		error = errno;
	if (!error && out->part[0] && rename(out->part, out->path))
		error = errno;
	if (!error)
		return 0;
	if (out->part[0])
		unlink(out->part);
	return fail(out, error, err);
}

void out_discard(struct out_file *out)
{
	fclose(out->f);
	if (out->part[0])
		unlink(out->part);
}
