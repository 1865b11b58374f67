/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_H
#define HRLP_IRQ_H

#include <hrl/interrupt.h>
#include <stdbool.h>

/*
 * Porting contract: masking of the interrupts that may call the kernel.
 *
 * Locks nest, and a lock never lets through what was masked before: unlock restores what lock
 * found. Interrupts above the kernel's priority stay enabled and must not call it. Context: any.
 */
typedef unsigned hrlp_irq_state;

/* The port defines HRLP_IRQ_UNLOCKED: what lock returns where nothing was masked. */

static inline hrlp_irq_state hrlp_irq_lock(void);
static inline void hrlp_irq_unlock(hrlp_irq_state state);

/*
 * The lock where nothing is masked before, and its end: there is no state to keep. Context: threads and
 * handlers that have not locked.
 */
static inline void hrlp_irq_mask(void);
static inline void hrlp_irq_unmask(void);

/*
 * For checks of callers: whether the running handler is above the kernel's priority, so that no
 * lock masks it; and whether the lock, or something else, masks the interrupts that may call the
 * kernel. Context: any, also before hrl_start.
 */
static inline bool hrlp_irq_is_above(void);
static inline bool hrlp_irq_is_masked(void);

/*
 * The port defines HRLP_IRQ_LINES: the controller's lines are numbered from 0 to below it. Negative
 * numbers are the processor's own. HRLP_IRQ_HIGHEST is the most urgent priority that a line can
 * have: HRL_INTERRUPT_HIGHEST, or HRL_INTERRUPT_KERNEL where the lock masks everything.
 * HRLP_IRQ_NESTS says whether a more urgent line interrupts a handler, HRLP_IRQ_ORDERS whether of two that
 * are pending the more urgent one comes first, else that with the lower number; HRLP_IRQ_CAN_RAISE whether
 * software can raise these lines.
 */

/*
 * Two priorities of the kernel's own handlers. They run with applications' interrupts enabled, and
 * lock where they share what those use.
 *
 * That of the dispatch, below 1: a handler of it never runs during a dispatch. A port that cannot do
 * that has it at the lowest priority that there is.
 *
 * That of the timer cells that release threads, and of the clock: above the dispatch, so that all
 * releases of an instant precede it, and above nothing else.
 */
#define HRLP_IRQ_OF_DISPATCH 0u
#define HRLP_IRQ_OF_CELLS HRL_INTERRUPT_LOWEST

/*
 * Lets `line` through at `priority`, from 1 to HRLP_IRQ_HIGHEST (hrl/interrupt.h), or
 * HRLP_IRQ_OF_DISPATCH. Pending ones come in the order of HRLP_IRQ_ORDERS; with HRLP_IRQ_NESTS a
 * more urgent one also interrupts a handler, and one above the kernel's the lock. Context: any.
 */
static inline void hrlp_irq_enable_at(int line, unsigned priority);

/*
 * No interrupt of `line`, not below 0, from the return on; its handler may disable it. Context:
 * any.
 */
static inline void hrlp_irq_disable(int line);

/*
 * Forgets that `line` was raised, as far as the controller remembers it. Context: interrupts
 * masked.
 */
static inline void hrlp_irq_clear(int line);

/* Raises `line`, as its device would; from 0 on only with HRLP_IRQ_CAN_RAISE. Context: any. */
static inline void hrlp_irq_raise(int line);

/*
 * What the kernel knows of a line that is not below 0: its handler, NULL if there is none. A port
 * reads both words in one instruction where the processor has one. The port defines
 * HRLP_IRQ_FIRST_LINE: the number by which hrli_interrupt_taken knows line 0, the others follow.
 */
struct hrlp_irq_attached {
    void (*handler)(void *argument);
    void *argument;
};
static inline struct hrlp_irq_attached hrlp_irq_load(const struct hrlp_irq_attached *attached);

/*
 * Whether interrupts of `line`, not below 0, come to hrli_interrupt_taken, as no handler is defined
 * by its name.
 */
static inline bool hrlp_irq_is_free(int line);

/*
 * Ends the program: an interrupt came on `line`, which has no handler. The report names the line.
 * Does not return. Context: hrli_interrupt_taken.
 */
_Noreturn void hrlp_irq_unhandled(int line);

#include "hrlp_irq_arch.h"

#endif
