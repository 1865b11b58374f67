/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#ifndef HOROLOG_WATCH_LINES_H
#define HOROLOG_WATCH_LINES_H

/* A configuration of one item a line, and arrays that grow while it is read. C11 that C++ compiles, too. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Says whether it can use `line`, which has no end of line. */
typedef bool watch_line_reader(void *context, const char *line);

/*
 * Hands each line of the file at `path` to `read`. Returns false, and writes into `why`, which has
 * `size` bytes, what is wrong, if the file cannot be read or a line cannot be used.
 */
bool watch_read_lines(const char *path, watch_line_reader *read, void *context, char *why,
                      size_t size);

/*
 * What stands in `line` behind `word` and `count` numbers (decimal, or hexadecimal with 0x), a space between each;
 * NULL if it does not begin so. The numbers are written even then.
 */
const char *watch_behind(const char *line, const char *word, uint64_t *numbers, size_t count);
/* Whether `line` is `word` and `count` numbers, nothing more. */
bool watch_is_line(const char *line, const char *word, uint64_t *numbers, size_t count);

/* `array` of `*count` elements of `size` bytes with a zeroed one more. Ends the program without memory. */
void *watch_grown(void *array, size_t *count, size_t size);

/* Adds an element to an array of `type` and gives its address. */
#define WATCH_ADD(type, array, count)                                                              \
    ((array) = (type *)watch_grown((array), &(count), sizeof(type)), &(array)[(count)-1])

#ifdef __cplusplus
}
#endif

#endif
