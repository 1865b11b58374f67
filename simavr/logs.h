/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HOROLOG_SIMAVR_LOGS_H
#define HOROLOG_SIMAVR_LOGS_H

/*
 * What a firmware does, as files. Times are cycles since reset; what an instruction does happens at its begin.
 *
 * Each returns false, and writes into `why` what is wrong, if it cannot begin. log_end() closes all files; false: one
 * could not be written.
 */
#include "machine.h"

enum { CONSOLE = 0xe0, EXIT = 0xe1, MARK = 0xe2, PINS = 96 };

/*
 * The registers at CONSOLE, EXIT and MARK, which no part that is simulated here uses otherwise: a byte that is stored
 * there is written to standard output; ends the program with that status; is a line `cycle value` in the file of marks at
 * `marks`, which may be NULL.
 */
bool log_registers(struct machine *machine, const char *marks, char *why);

/*
 * Each interrupt, as soon as it has returned, as a line `vector entered first returned nesting`: the cycle in which the
 * code that it interrupted stops, that of the handler's first instruction, and that in which the code goes on, behind
 * RETI. An interrupt is over with the RETI that takes its return address from the stack, whatever ran meanwhile:
 * `nesting` is how many were not over when it was entered, with itself. Those that are not over at the end are written
 * with 0 for `returned`, and so is one if another one takes its place on the stack.
 */
bool log_interrupts(struct machine *machine, const char *path, char *why);

/* Pins, such as D6; none: all that there are. */
struct pin_names {
    const char *names[PINS];
    size_t count;
};

/* Each change of a pin as a line `cycle pin value`. */
bool log_pins(struct machine *machine, const char *path, const struct pin_names *pins, char *why);

/*
 * The pins and the vector of the interrupt that was entered last, or 0 after RETI, as a VCD file, from cycle `from` up to `to`, not
 * included. Its times are picoseconds, rounded down, so each cycle has its own: cycle = ceiling(time * hertz / 10^12).
 */
bool log_vcd(struct machine *machine, const char *path, const struct pin_names *pins, uint64_t from,
             uint64_t to, char *why);

bool log_end(void);

#endif
