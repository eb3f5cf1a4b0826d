// SPDX-License-Identifier: GPL-2.0-only
/*
 * jsonq PATH < JSON: prints the value at PATH, e.g. "end.sum_received.bits_per_second" or "intervals.0.sum.bytes".
 * A string is printed without quotes (escapes are left as they are), an object or array as its source text;
 * the path "." is the whole document, a trailing ".+" prints the sum of the numbers directly in an object or array.
 * Exit: 0 found, 1 not found, 2 not JSON.
 */
#include "util.h"

static const char *text;	/* parse position */
static const char *limit;

static void skip_space(void)
{
	while (text < limit && strchr(" \t\r\n", *text))
		text++;
}

static void syntax(const char *what)
{
	errno = 0;
	cannot("jsonq: not JSON: %s", what);
}

static void skip_string(void)
{
	if (text >= limit || *text != '"')
		syntax("string expected");
	for (text++; text < limit && *text != '"'; text++)
		if (*text == '\\')
			text++;
	if (text >= limit)
		syntax("open string");
	text++;
}

static void skip_value(int depth)
{
	char close;

	skip_space();
	if (text >= limit || depth > 64)
		syntax("value expected");
	if (*text == '"') {
		skip_string();
		return;
	}
	if (*text != '{' && *text != '[') {
		const char *start = text;

		while (text < limit && !strchr(",]} \t\r\n", *text))
			text++;
		if (text == start)
			syntax("value expected");
		return;
	}
	close = *text == '{' ? '}' : ']';
	text++;
	skip_space();
	if (text < limit && *text == close) {
		text++;
		return;
	}
	for (;;) {
		if (close == '}') {
			skip_space();
			skip_string();
			skip_space();
			if (text >= limit || *text++ != ':')
				syntax("colon expected");
		}
		skip_value(depth + 1);
		skip_space();
		if (text >= limit)
			syntax("open object");
		if (*text == close) {
			text++;
			return;
		}
		if (*text++ != ',')
			syntax("comma expected");
	}
}

/* Stands on an object or array: moves to the member called name; false when there is none. */
static int enter(const char *name, size_t len)
{
	char close;
	unsigned long index = 0;

	skip_space();
	if (text >= limit || (*text != '{' && *text != '['))
		return 0;
	close = *text == '{' ? '}' : ']';
	text++;
	for (;;) {
		skip_space();
		if (text < limit && *text == close)
			return 0;
		if (close == '}') {
			const char *key = text + 1;
			size_t keylen;

			skip_string();
			keylen = (size_t)(text - 1 - key);
			skip_space();
			if (text >= limit || *text++ != ':')
				syntax("colon expected");
			if (keylen == len && !memcmp(key, name, len))
				return 1;
		} else {
			char *end;

			if (strtoul(name, &end, 10) == index && end == name + len)
				return 1;
			index++;
		}
		skip_value(0);
		skip_space();
		if (text < limit && *text == ',')
			text++;
	}
}

static void print_sum(void)
{
	double sum = 0;
	char close;

	skip_space();
	if (text >= limit || (*text != '{' && *text != '['))
		exit(EXIT_BROKEN);
	close = *text == '{' ? '}' : ']';
	text++;
	for (;;) {
		const char *start;

		skip_space();
		if (text >= limit || *text == close)
			break;
		if (close == '}') {
			skip_string();
			skip_space();
			text++;
		}
		skip_space();
		start = text;
		skip_value(0);
		sum += strtod(start, NULL);
		skip_space();
		if (text < limit && *text == ',')
			text++;
	}
	printf("%.0f\n", sum);
}

int main(int argc, char **argv)
{
	size_t room = 1 << 16, len = 0;
	char *buf = malloc(room);
	const char *path, *start;

	errno = 0;
	if (argc != 2 || !buf)
		cannot("usage: jsonq PATH < JSON");
	for (;;) {
		ssize_t n = read(0, buf + len, room - len - 1);

		if (n < 0)
			cannot("jsonq: read");
		if (!n)
			break;
		len += (size_t)n;
		if (len + 1 == room) {
			room *= 2;
			buf = realloc(buf, room);
			if (!buf)
				cannot("jsonq: memory");
		}
	}
	buf[len] = 0;		/* strtod needs an end */
	text = buf;
	limit = buf + len;
	for (path = argv[1]; *path && strcmp(path, ".");) {
		size_t part = strcspn(path, ".");

		if (part == 1 && *path == '+') {
			print_sum();
			return EXIT_HOLDS;
		}
		if (!enter(path, part))
			return EXIT_BROKEN;
		path += part;
		if (*path == '.')
			path++;
	}
	skip_space();
	start = text;
	skip_value(0);
	if (*start == '"')
		printf("%.*s\n", (int)(text - start - 2), start + 1);
	else
		printf("%.*s\n", (int)(text - start), start);
	return EXIT_HOLDS;
}
