/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PRINT_H
#define BENCH_PRINT_H

/*
 * Prints a line of at most 95 characters on the board's console, as applications do that have a printf of their
 * own: %s, %c, %d, %u and %x, with l, a width, and zeros or spaces before it.
 */
__attribute__((format(printf, 1, 2))) void bench_print(const char *format, ...);

#endif
