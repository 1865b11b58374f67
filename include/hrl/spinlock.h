/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_SPINLOCK_H
#define HRL_SPINLOCK_H

#include <hrl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Spinlocks: short critical sections that threads and interrupts of several cores have one after the other.
 *
 * The core that takes one keeps out interrupts that may call the kernel, and with them every switch of threads, then waits
 * busily for its turn: first come, first served. So a section is never preempted, and of N cores the longest wait is N - 1 of
 * the longest sections of this spinlock, and what the port needs to pass it on (HRLP_LOCK_WAIT_CYCLES has that of
 * the kernel's own lock). Interrupts of a core are kept out for that wait and its own section. With one core a
 * spinlock is hrl_interrupt_lock.
 *
 *     HRL_SPINLOCK_DEFINE(bus, 1);
 *     hrl_spinlock_take(&bus); ... hrl_spinlock_give(&bus);
 *
 * Each has a number, by which it uses a lock of the board: from 1 on, as far as the board's locks go, of which two are the
 * kernel's (ibex-cells-x2: to 29); the last ones are the [[resource]] tables' with spin = true. Spinlocks may lie in each
 * other: taken in ascending order of their numbers, so that no cores wait for each other, and given back in the reverse
 * order by the core that took them. While a core holds one it calls nothing that waits or gives way. Anything else stops in
 * hrl_assert_hook, in builds with checks.
 *
 * Source: Gai, Lipari and Di Natale, Minimizing Memory Utilization of Real-Time Task Sets (MSRP); AUTOSAR's GetSpinlock
 * with LOCK_CAT2_INTERRUPTS.
 */
struct hrl_spinlock {
    uint32_t number;            /* from 1 */
    uint32_t before;            /* what interrupts were kept out before it was taken */
    struct hrl_spinlock *below; /* the one that this core took before it; with checks only */
};

/* Defines a spinlock that no core holds. No other one has this number. At file scope. */
#define HRL_SPINLOCK_DEFINE(name, lock_number)                                                     \
    struct hrl_spinlock name = {lock_number, 0, 0};                                                \
    HRLI_STATIC_ASSERT((lock_number) >= 1, "the number of a spinlock is from 1 on")

/* The initialiser of one, for arrays. */
#define HRL_SPINLOCK_INIT(lock_number)                                                             \
    {                                                                                              \
        (lock_number) + HRLI_REQUIRE((lock_number) >= 1), 0, 0                                     \
    }

/*
 * Takes it, or waits busily until it is the caller's turn. The core holds no spinlock of the same number or a higher one.
 * Context: not above the kernel. Cost: some instructions, and the wait said above.
 */
void hrl_spinlock_take(struct hrl_spinlock *spinlock);

/*
 * Gives back the one that this core took last. Interrupts that were kept out come before this returns. Context: as
 * hrl_spinlock_take. Cost: some instructions.
 */
void hrl_spinlock_give(struct hrl_spinlock *spinlock);

#ifdef __cplusplus
}
#endif

#endif
