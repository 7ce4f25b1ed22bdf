// SPDX-License-Identifier: MIT
/* Text as it grows. Nothing here formats with printf but isa_printf(), and that not what is common. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/emit.h"
#include "isa/table.h"

#define SINK_SIZE	(64u << 10)

static const char digits[] = "0123456789abcdef";

const char isa_pairs[201] =
	"00010203040506070809" "10111213141516171819" "20212223242526272829" "30313233343536373839"
	"40414243444546474849" "50515253545556575859" "60616263646566676869" "70717273747576777879"
	"80818283848586878889" "90919293949596979899";

char *isa_emit_long(char *to, uint32_t v)
{
	char buf[10];
	unsigned int n = sizeof(buf);

	for (; v >= 10; v /= 100)
		memcpy(buf + (n -= 2), isa_pairs + 2 * (v % 100), 2);
	if (v || n == sizeof(buf))
		buf[--n] = '0' + v;
	memcpy(to, buf + n, sizeof(buf) - n);
	return to + sizeof(buf) - n;
}

char *isa_emit_hex(char *to, uint32_t v, unsigned int width)
{
	char buf[10];
	unsigned int n = sizeof(buf);

	do {
		buf[--n] = digits[v & 15];
		v >>= 4;
	} while (v || sizeof(buf) - n < width);
	buf[--n] = 'x';
	buf[--n] = '0';
	memcpy(to, buf + n, sizeof(buf) - n);
	return to + sizeof(buf) - n;
}

/*
 * Products of a float and these powers are exact in a double, and so is the rounding to six digits
 * that printf does.
 */
char *isa_emit_g(char *to, double v)
{
	static const double power[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
	double a = fabs(v), t = a;
	uint32_t n, whole = 1;
	int decimals = 0;

	if ((a && !(a >= 1e-4 && a < 999999.5)) || (float)v != v)
		return to + snprintf(to, ISA_EMIT_SLACK, "%g", v);
	if (signbit(v))
		*to++ = '-';
	while (a && t < 1e5)
		t = a * power[++decimals];
	n = rint(t);
	for (; decimals > 0 && n % 10 == 0; decimals--)
		n /= 10;
	for (int i = 0; i < decimals; i++)
		whole *= 10;
	to = isa_emit_uint(to, n / whole);
	if (!decimals)
		return to;
	*to = '.';
	n %= whole;
	for (int i = decimals; i > 0; i--, n /= 10)
		to[i] = '0' + n % 10;
	return to + 1 + decimals;
}

static void set_prefix(struct isa_prefix *p, uint32_t v)
{
	char buf[10] = "";

	p->length = isa_emit_long(buf, v) - buf;
	memcpy(p->text, buf, sizeof(p->text));
}

void isa_counter_next(struct isa_counter *c, uint32_t hundreds)
{
	c->hundreds = hundreds;
	set_prefix(&c->prefix, hundreds);
	set_prefix(&c->before, hundreds - 1);
}

bool isa_text_grow(struct isa_text *text, size_t more)
{
	size_t room = (text->room + more) * 2 + 256;
	char *data;

	if (text->failed)
		return false;
	data = realloc(text->data, room);
	if (!data) {
		text->failed = true;
		return false;
	}
	text->data = data;
	text->room = room;
	return true;
}

void isa_append(struct isa_text *text, const char *from, size_t n)
{
	if (!isa_text_room(text, n + 1))
		return;
	memcpy(text->data + text->length, from, n);
	text->length += n;
}

void isa_puts(struct isa_text *text, const char *s)
{
	isa_append(text, s, strlen(s));
}

void isa_putc(struct isa_text *text, char c)
{
	if (isa_text_room(text, 2))
		text->data[text->length++] = c;
}

void isa_put_uint(struct isa_text *text, uint32_t v)
{
	if (isa_text_room(text, 10 + ISA_EMIT_SLACK))
		text->length = isa_emit_uint(text->data + text->length, v) - text->data;
}

void isa_put_int(struct isa_text *text, int32_t v)
{
	if (v < 0)
		isa_putc(text, '-');
	isa_put_uint(text, v < 0 ? -(uint32_t)v : (uint32_t)v);
}

void isa_put_hex(struct isa_text *text, uint32_t v, unsigned int width)
{
	if (isa_text_room(text, 10 + ISA_EMIT_SLACK))
		text->length = isa_emit_hex(text->data + text->length, v, width) - text->data;
}

/* One of the formats that instructions' text is made of; to has room. NULL: it is none of them. */
static char *put_format(char *to, const char **format, va_list *ap)
{
	const char *p = *format;
	bool plus = *p == '+', two = p[0] == '0' && p[1] == '2';
	char last, *end;
	int n;

	p += plus + 2 * two;
	last = *p;
	*format = p + 1;
	if (last == 'u' && !plus && !two)
		return isa_emit_uint(to, va_arg(*ap, unsigned int));
	if (last == 'd' && !two) {
		n = va_arg(*ap, int);
		return isa_emit_int(plus && n >= 0 ? isa_emit_char(to, '+') : to, n);
	}
	if (last == 'c' && !plus && !two)
		return isa_emit_char(to, va_arg(*ap, int));
	if (last == 'g' && !plus && !two)
		return isa_emit_g(to, va_arg(*ap, double));
	if (last != 'X' || plus)
		return NULL;
	/* As isa_emit_hex(), without its 0x, in capitals. */
	end = isa_emit_hex(to, va_arg(*ap, unsigned int), two ? 2 : 1) - 2;

	for (n = 0; to + n < end; n++)
		to[n] = to[n + 2] >= 'a' ? to[n + 2] - 'a' + 'A' : to[n + 2];
	return end;
}

static void print_slowly(struct isa_text *text, const char *format, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(text->data + text->length, text->room - text->length, format, ap);
	if (n >= (int)(text->room - text->length) && isa_text_room(text, n + 1))
		vsnprintf(text->data + text->length, text->room - text->length, format, again);
	va_end(again);
	text->length += text->failed ? 0 : n;
}

void isa_printf(struct isa_text *text, const char *format, ...)
{
	size_t start = text->length;
	const char *p = format;
	va_list ap;

	va_start(ap, format);
	while (*p && isa_text_room(text, 64)) {
		size_t n = 0;

		while (p[n] && p[n] != '%')
			n++;
		isa_append(text, p, n);
		p += n;
		if (!*p || !isa_text_room(text, 64))
			break;
		if (p[1] == 's') {
			isa_puts(text, va_arg(ap, const char *));
			p += 2;
		} else {
			const char *from = p++;
			char *to = put_format(text->data + text->length, &p, &ap);

			if (!to) {
				p = from;
				break;
			}
			text->length = to - text->data;
		}
	}
	va_end(ap);
	if (!*p || text->failed)
		return;
	/* Some other format: printf knows them all. */
	text->length = start;
	va_start(ap, format);
	print_slowly(text, format, ap);
	va_end(ap);
}

char *isa_text_finish(struct isa_text *text)
{
	if (isa_text_room(text, 1)) {
		text->data[text->length] = 0;
		return text->data;
	}
	free(text->data);
	return NULL;
}

void isa_text_pause(struct isa_text *text)
{
	if (!text->sink || text->length < SINK_SIZE || text->failed)
		return;
	if (!text->sink_error)
		text->sink_error = text->sink(text->sink_ctx, text->data, text->length);
	text->length = 0;
}

int isa_text_drain(struct isa_text *text)
{
	int err = text->sink_error;

	if (!err && text->failed)
		err = -ENOMEM;
	if (!err && text->length)
		err = text->sink(text->sink_ctx, text->data, text->length);
	free(text->data);
	return err;
}
