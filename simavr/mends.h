/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HOROLOG_SIMAVR_MENDS_H
#define HOROLOG_SIMAVR_MENDS_H

#include <simavr/sim_avr.h>

/*
 * Makes registers of timers, external interrupts and pin changes behave as the data sheets say where libsimavr 1.6
 * does not:
 *
 *  - Flags (TIFR, ETIFR, EIFR, PCIFR): a written 1 clears this flag, a 0 leaves it. libsimavr clears all flags of a
 *    timer whatever is written, and those of external interrupts never.
 *  - Enables (TIMSK, ETIMSK, EIMSK, PCICR): an interrupt that is enabled while its flag is set is pending.
 *  - A compare register (OCRnx) holds from the end of the instruction that writes it: a count that has gone by then
 *    does not match. libsimavr looks at the begin of that instruction, and finds matches of the count before, too.
 *  - A count that is written (TCNTn) leaves the prescaler alone, so that the next step comes when it would have come, and
 *    it does not match itself. libsimavr begins with a whole step, rounds the count, and finds that match.
 *
 * What is left as it is stands in docs/guide/simavr.md.
 */
void mend_registers(avr_t *avr);

#endif
