/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_FAULT_H
#define HRLP_FAULT_H

#include "hrlp_cpu.h"
#include <hrl/hooks.h>

/*
 * Porting contract: what the processor finds wrong, and what the registers were.
 *
 * The port saves the registers, to a place of their own and not to the stack, which may be what is
 * broken, and calls one of the two functions below, which are the same for all processors
 * (ports/report): in its handler of faults, in that of interrupts without a handler, and in
 * hrl_assert_hook (hrl/hooks.h), which it defines weakly.
 */

/*
 * The port's: names, separated by one blank, "pc sp" first, and values. What could not be saved is
 * 0.
 */
extern HRLP_CONST char hrlp_fault_names[]; /* empty: it shows none */
extern uint32_t hrlp_fault_registers[];

/*
 * End in hrl_fault_hook, interrupts masked. `file` is NULL where the processor found the fault; a
 * handler ran if `in_interrupt`. The dispatch is no handler here: it counts as the thread that it
 * ends. Context: any.
 */
_Noreturn void hrlp_fault_stop(const char *reason, const char *file, int line, bool in_interrupt);

/* Ends like hrlp_fault_stop, at an interrupt of `line`, which has no handler; below 0: the processor's. */
_Noreturn void hrlp_fault_unhandled(int line, bool in_interrupt);

/*
 * Where the processor's vectors lead for exceptions and interrupts without a handler: the port's,
 * and in builds without a report one that halts (ports/report/halt.c). Context: the exception's
 * handler, as the hardware entered it.
 */
void hrlp_fault_handler(void);

#endif
