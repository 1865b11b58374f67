/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_H
#define HRLP_IRQ_H

/*
 * Porting contract: masking of the interrupts that may call the kernel.
 *
 * Locks nest, and a lock never lets through what was masked before: unlock restores what lock found. Interrupts above the kernel's priority stay enabled and
 * must not call it. Context: any.
 */
typedef unsigned hrlp_irq_state;

/* The port defines HRLP_IRQ_UNLOCKED: what lock returns where nothing was masked. */

static inline hrlp_irq_state hrlp_irq_lock(void);
static inline void hrlp_irq_unlock(hrlp_irq_state state);

/*
 * Lets interrupt `line` through at the kernel's priority, the one that the lock masks. Lines are
 * numbered as the board's interrupt controller does; negative ones are the processor's own. Context:
 * start-up.
 */
static inline void hrlp_irq_enable(int line);

/* Forgets that `line` was raised, as far as the controller remembers it. Context: interrupts masked. */
static inline void hrlp_irq_clear(int line);

/* Raises `line`, as its device would. Context: any. */
static inline void hrlp_irq_raise(int line);

#include "hrlp_irq_arch.h"

#endif
