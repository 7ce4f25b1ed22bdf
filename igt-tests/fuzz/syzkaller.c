// SPDX-License-Identifier: MIT
/*
 * The grammar as descriptions for syzkaller (its docs/syscall_descriptions_syntax.md): what
 * Documentation/dev/syzkaller/dev_*.txt are. Ioctls and structs of drm.h are syzkaller's own, dev_dri.txt.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>

#include "grammar.h"

#define COUNT_OF(a)	(sizeof(a) / sizeof((a)[0]))

static const struct family {
	const char *name;
	enum fuzz_family family;
	const char *slots[SLOT_KINDS];	/* resources of its own */
} families[] = {
	{ "lima", FAMILY_LIMA, { [SLOT_CTX] = "lima_ctx" } },
	{ "etnaviv", FAMILY_ETNAVIV, { [SLOT_FENCE] = "etnaviv_fence" } },
	{ "limn", FAMILY_LIMN, { [SLOT_CTX] = "limn_ctx", [SLOT_PERFMON] = "limn_perfmon" } },
};

static const struct family *family;
static FILE *out;

static const char *resource(enum fuzz_slot kind)
{
	static const char *const common[SLOT_KINDS] = {
		[SLOT_BO] = "drm_gem_handle", [SLOT_SYNCOBJ] = "drm_syncobj", [SLOT_SYNC_FILE] = "fd_sync_file",
	};

	return family->slots[kind] ?: common[kind];
}

/* "timeout.tv_sec", "in_sync[0]": a name that a field can have. */
static const char *plain(const char *name)
{
	static char text[64];
	size_t n = 0;

	for (; *name && n < sizeof(text) - 1; name++) {
		if (*name != ']')
			text[n++] = strchr(".[", *name) ? '_' : *name;
	}
	text[n] = 0;
	return text;
}

static const struct fuzz_field *first_of(const struct fuzz_type *t, enum fuzz_kind kind)
{
	for (unsigned int i = 0; i < t->num_fields; i++) {
		if (t->fields[i].kind == kind)
			return &t->fields[i];
	}
	return NULL;
}

static bool is_out(const struct fuzz_field *f)
{
	return f->kind == KIND_OUT || f->kind == KIND_NEW;
}

/* "in", "out" or "inout": what the kernel does with such structs. */
static const char *direction(const struct fuzz_type *t)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < t->num_fields; i++)
		n += is_out(&t->fields[i]);
	return !n ? "in" : n < t->num_fields ? "inout" : "out";
}

/* Structs that stand for a number in a list. */
static bool is_number(const struct fuzz_type *t)
{
	return t->num_fields == 1 && !strncmp(t->name, "fuzz_", 5);
}

static void print_array(const struct fuzz_field *f)
{
	const struct fuzz_type *t = f->entry_type;

	fprintf(out, "ptr64[%s, array[", direction(t));
	if (is_number(t))
		fprintf(out, "int%u]]", t->fields[0].size * 8);
	else
		fprintf(out, "%s]]", t->name);
}

static void print_length(const struct fuzz_field *of, const char *kind, unsigned int bits)
{
	fprintf(out, "%s[%s, int%u]", kind, plain(of->name), bits);
}

/* The array that is counted, or whose entries have this stride: it stands in the same struct. */
static const struct fuzz_field *array_of(const struct fuzz_type *t, const struct fuzz_field *f)
{
	for (unsigned int i = 0; i < t->num_fields; i++) {
		if (t->fields[i].kind == KIND_ARRAY && !strcmp(t->fields[i].count, f->name))
			return &t->fields[i];
	}
	return NULL;
}

static void print_flags(const struct fuzz_type *t, const struct fuzz_field *f, unsigned int bits)
{
	if (f->text[0] >= '0' && f->text[0] <= '9') {
		fprintf(out, "int%u[0:%" PRIu64 "]", bits, f->argument);
		return;
	}
	fprintf(out, "flags[%s_%s, int%u]", t->name, plain(f->name), bits);
}

static void print_type(const struct fuzz_type *t, const struct fuzz_field *f)
{
	unsigned int bits = f->size * 8;
	const struct fuzz_field *memory = first_of(t, KIND_MEMORY);

	switch (f->kind) {
	case KIND_ZERO:
		fprintf(out, "const[0, int%u]", bits);
		return;
	case KIND_NUM:
		if (first_of(t, KIND_TEXT))
			print_length(first_of(t, KIND_TEXT), "len", bits);
		else
			fprintf(out, "int%u[0:%" PRIu64 "]", bits, f->argument);
		return;
	case KIND_FLAGS:
	case KIND_BITS:
		print_flags(t, f, bits);
		return;
	case KIND_SIZE:
		if (memory)
			print_length(memory, "len", bits);
		else
			fprintf(out, "int%u", bits);
		return;
	case KIND_SLOT:
	case KIND_NEW:
		fprintf(out, "%s", resource(f->argument));
		return;
	case KIND_OPTION:
		fprintf(out, "%s[opt]", resource(f->argument));
		return;
	case KIND_SYNC:
		fprintf(out, "%s_sync_handle", family->name);
		return;
	case KIND_COUNT:
		print_length(array_of(t, f), "len", bits);
		return;
	case KIND_STRIDE:
		fprintf(out, "const[%" PRIu64 ", int%u]", f->argument, bits);
		return;
	case KIND_ARRAY:
		print_array(f);
		return;
	case KIND_CONTENT:
		fprintf(out, "ptr64[in, %s_commands]", family->name);
		return;
	case KIND_BYTES:
		print_length(first_of(t, KIND_CONTENT), "bytesize", bits);
		return;
	case KIND_TEXT:
		fprintf(out, "ptr64[in, string]");
		return;
	case KIND_MEMORY:
		fprintf(out, "vma64");
		return;
	case KIND_OUT:
		if (f->size > 8) {
			fprintf(out, "array[int8, %u]", f->size);
			return;
		}
		/* fall through */
	case KIND_OFFSET:
	case KIND_VA:
	case KIND_TIME:
	case KIND_TIME_SEC:
	case KIND_TIME_NSEC:
		fprintf(out, "int%u", bits);
	}
}

static void print_struct(const struct fuzz_type *t)
{
	bool both = !strcmp(direction(t), "inout");
	size_t width = 0, length;

	/* Types begin at the same tab stop, as syz-fmt wants it. */
	for (unsigned int i = 0; i < t->num_fields; i++) {
		length = strlen(plain(t->fields[i].name)) / 8 + 1;
		width = length > width ? length : width;
	}
	fprintf(out, "\n%s {\n", t->name);
	for (unsigned int i = 0; i < t->num_fields; i++) {
		fprintf(out, "\t%s", plain(t->fields[i].name));
		for (length = strlen(plain(t->fields[i].name)) / 8; length < width; length++)
			fputc('\t', out);
		print_type(t, &t->fields[i]);
		fprintf(out, "%s\n", !both ? "" : is_out(&t->fields[i]) ? "\t(out)" : "\t(in)");
	}
	fprintf(out, "}\n");
	for (unsigned int i = 0; i < t->num_fields; i++) {
		const struct fuzz_field *f = &t->fields[i];
		const char *at = f->text;

		if ((f->kind != KIND_FLAGS && f->kind != KIND_BITS) || (*at >= '0' && *at <= '9'))
			continue;
		fprintf(out, "\n%s_%s = 0", t->name, plain(f->name));
		for (size_t n; *at; at += n) {
			at += strspn(at, " |");
			n = strcspn(at, " |");
			fprintf(out, ", %.*s", (int)n, at);
		}
		fprintf(out, "\n");
	}
}

static void print_structs(const struct fuzz_type *t, const struct fuzz_type **done, unsigned int *num_done)
{
	for (unsigned int i = 0; i < *num_done; i++) {
		if (done[i] == t)
			return;
	}
	done[(*num_done)++] = t;
	print_struct(t);
	for (unsigned int i = 0; i < t->num_fields; i++) {
		if (t->fields[i].kind == KIND_ARRAY && !is_number(t->fields[i].entry_type))
			print_structs(t->fields[i].entry_type, done, num_done);
	}
}

static void print_ioctl(const struct fuzz_callee *c)
{
	static const char *const directions[] = { [_IOC_READ] = "out", [_IOC_WRITE] = "in", [_IOC_READ | _IOC_WRITE] = "inout" };

	fprintf(out, "ioctl$%s(fd fd_%s, cmd const[%s], arg ptr[%s, %s])\n", c->request_name, family->name,
		c->request_name, directions[_IOC_DIR(c->request)], c->type_name);
}

static void print_start(void)
{
	const char *name = family->name;

	fprintf(out, "# SPDX-License-Identifier: MIT\n"
		"# Made by build/fuzz-driver --syzkaller %s of igt-tests/fuzz/grammar.inc.\n\n"
		"include <uapi/linux/fcntl.h>\n"
		"include <uapi/drm/drm.h>\n"
		"include <uapi/drm/%s_drm.h>\n\n"
		"resource fd_%s[fd_dri]\n", name, name, name);
	for (unsigned int i = 0; i < SLOT_KINDS; i++) {
		if (family->slots[i])
			fprintf(out, "resource %s[int32]\n", family->slots[i]);
	}
	fprintf(out, "\nopenat$%s(fd const[AT_FDCWD], file ptr[in, string[\"/dev/dri/renderD128\"]], "
		"flags flags[open_flags], mode const[0]) fd_%s\n"
		"mmap$%s(addr vma, len len[addr], prot flags[mmap_prot], flags flags[mmap_flags], fd fd_%s, offset fileoff)\n"
		"_ = __NR_mmap2\n\n", name, name, name, name);
}

/* Jobs: lima's are registers, the others' are commands. */
static void print_commands(void)
{
	if (family->family == FAMILY_LIMA) {
		fprintf(out, "\n# drm_lima_gp_frame, drm_lima_m400_pp_frame, drm_lima_m450_pp_frame\n"
			"lima_commands [\n"
			"\tgp\tarray[int32, %zu]\n\tm400_pp\tarray[int32, %zu]\n\tm450_pp\tarray[int32, %zu]\n"
			"] [varlen]\n", sizeof(struct drm_lima_gp_frame) / 4, sizeof(struct drm_lima_m400_pp_frame) / 4,
			sizeof(struct drm_lima_m450_pp_frame) / 4);
		return;
	}
	fprintf(out, "\n%s_commands {\n\twords\tarray[int64, 1:64]\n}\n", family->name);
	if (family->family == FAMILY_LIMN)
		fprintf(out, "\nlimn_sync_handle [\n\tsyncobj\tdrm_syncobj\n\tfile\tfd_sync_file\n]\n");
}

bool fuzz_syzkaller(const char *name, FILE *file)
{
	const struct fuzz_type *done[64];
	unsigned int num_done = 0;

	out = file;
	for (family = families; family < families + COUNT_OF(families); family++) {
		if (!strcmp(family->name, name))
			break;
	}
	if (family == families + COUNT_OF(families))
		return false;
	print_start();
	for (unsigned int i = 0; fuzz_callee(i); i++) {
		if (fuzz_callee(i)->request && fuzz_callee(i)->family == family->family)
			print_ioctl(fuzz_callee(i));
	}
	for (unsigned int i = 0; fuzz_callee(i); i++) {
		if (fuzz_callee(i)->request && fuzz_callee(i)->family == family->family)
			print_structs(fuzz_callee(i)->type, done, &num_done);
	}
	print_commands();
	return true;
}
