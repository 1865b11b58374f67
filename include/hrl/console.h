/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_CONSOLE_H
#define HRL_CONSOLE_H

#include <hrl/hooks.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The board's console, and the end of the program, for people and tests: what board it is, docs/boards.md says. In an
 * emulator text goes to its output; on silicon it goes where the port says, on Cortex-M to a debugger that serves
 * semihosting: without one the processor stops there.
 *
 * Context of all calls: any, also after a fault. They return when the board has taken the text, and do not give way
 * to other threads meanwhile; texts of several callers may mix. There is no error: what a board cannot print is lost.
 * Cost: in proportion to the text, and what the board takes for it.
 */

/*
 * Prints `length` bytes, without those that are 0. The other two calls print by this one.
 * An application that defines it has a console of its own, such as a serial line.
 */
void hrl_console_write(const char *text, size_t length);

/* Prints a text that ends with a byte 0. */
void hrl_console_print(const char *text);

/* Prints one character. */
void hrl_console_put(char character);

/*
 * Ends the program: an emulator ends with `status`, 0 for success, 255 at most; silicon stops, with interrupts as they
 * are.
 */
HRLI_NORETURN void hrl_program_end(int status);

#ifdef __cplusplus
}
#endif

#endif
