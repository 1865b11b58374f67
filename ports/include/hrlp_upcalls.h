/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_UPCALLS_H
#define HRLP_UPCALLS_H

#include <hrl/types.h>
#include <stdint.h>

/*
 * Where interrupts enter the kernel, and what a port may ask of it. The handlers of timer cells are
 * generated and call the releasers themselves.
 */

/*
 * The dispatch that hrlp_cpu_request_switch asked for: takes the stack pointer that the port saved
 * for the thread that ran, returns that of the thread to run. Context: the lowest-priority handler
 * of the core; interrupts may be enabled and may ask for another switch during it.
 */
void *hrli_cpu_switch(void *saved_stack_pointer);

/* The dispatch of hrlp_cpu_yield: goes to the next thread of the running one's level. */
void *hrli_cpu_yield(void *saved_stack_pointer);

/*
 * The clock's 32-bit counter went from 2^32 - 1 to 0. Context: the clock's handler, interrupts masked
 * since before it was acknowledged (hrlp_clock_wrap_pending).
 */
void hrli_clock_wrapped(void);

/*
 * Another core has rung (hrlp_core_ring). Context: a handler, at the priority HRLP_IRQ_OF_CELLS.
 */
void hrli_core_rung(void);

/*
 * The same of a port with HRLP_CPU_ENDS_HANDLERS, for a handler that can end with the switch: in_thread is called if
 * the interrupt came into a thread, in_handler if it came into a handler.
 */
struct hrlp_cpu_end;
struct hrlp_cpu_end hrli_core_rung_in_thread(void *interrupted);
struct hrlp_cpu_end hrli_core_rung_in_handler(void *interrupted);

/*
 * An interrupt of a line, from 0 on, that has no handler defined by name; `number` is the line's plus
 * HRLP_IRQ_FIRST_LINE. Links only if a handler is attached; without it, such interrupts are faults,
 * and the port's names for it are weak. Context: the line's handler, at its priority.
 */
void hrli_interrupt_taken(int number);

/*
 * What hrlp_line.h asks of a controller, where there is none: lines are those of hrl_gen_lines by
 * their numbers. Contexts as in hrlp_line.h.
 */
void hrli_line_raised(uint32_t set);
void hrli_line_settle(void);
uint32_t hrli_line_raise_ceiling(unsigned level);
void hrli_line_restore_ceiling(uint32_t before);

/* The name of the basic task or thread that runs, for messages after a fault. Context: any. */
const HRLI_FLASH char *hrli_cpu_current_name(void);

#endif
