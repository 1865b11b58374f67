/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORES_H
#define HRLP_CORES_H

#include <hrl/types.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Porting contract: the processor's cores. A port that can have several defines these in
 * hrlp_cores_controller.h, for HRL_CORES > 1; all others get those of one core from here.
 *
 * What the kernel's own files define exists once a core: hrli_core is the same name, and here the same
 * address, on each. The port's linker script sees to that, with memory that is private to a core. What
 * applications define exists once, in memory that all cores share.
 */

/* The number of the core that this runs on, 0 to HRL_CORES - 1. Context: any. */
static inline unsigned hrlp_core_number(void);

/*
 * Lets the other cores go on from their reset, each to hrl_start. Context: start-up, core 0.
 */
static inline void hrlp_cores_start(void);

/* Waits until all cores are here: no core returns before the last one has called. Context: start-up. */
static inline void hrlp_cores_meet(void);

/*
 * Lets the interrupts through by which other cores call this one: hrli_core_rung (hrlp_upcalls.h) is
 * called in each. Context: start-up, interrupts masked.
 */
static inline void hrlp_core_answer(void);

/*
 * Has hrli_core_rung called on `core`, another one, after all stores before this one. Ringing twice may
 * be ringing once. Context: any.
 */
static inline void hrlp_core_ring(unsigned core);

/*
 * The address of what `core` has at the address `own`, an object of the kernel's that exists once a core.
 * Context: any.
 */
static inline void *hrlp_core_object(void *own, unsigned core);

/*
 * Locks between cores: first come, first served, by a ticket. `lock` is below HRLP_LOCKS. Interrupts
 * are masked before a core takes one, so that it holds it for a bounded time. One core takes each lock
 * once at a time. Context: any.
 *
 * HRLP_LOCK_HELD_CYCLES, where a port can say so: how long services hold their lock at most, but for those that take
 * longer the more threads wait, or the longer a message is; HRLP_LOCK_WAIT_CYCLES: how long a core waits for it then. With
 * HRL_GLOBAL_THREADS they are other numbers, as dispatches hold that lock, too.
 */
static inline void hrlp_lock_take(unsigned lock);
static inline void hrlp_lock_give(unsigned lock);

#if HRL_CORES > 1 /* as ports for one core have no such header */
#include "hrlp_cores_controller.h"
#else
#define HRLP_LOCKS 0u
static inline unsigned hrlp_core_number(void)
{
    return 0;
}

static inline void hrlp_cores_start(void) {}

static inline void hrlp_cores_meet(void) {}

static inline void hrlp_core_answer(void) {}

static inline void hrlp_core_ring(unsigned core)
{
    (void)core;
}

static inline void *hrlp_core_object(void *own, unsigned core)
{
    (void)core;
    return own;
}

static inline void hrlp_lock_take(unsigned lock)
{
    (void)lock;
}

static inline void hrlp_lock_give(unsigned lock)
{
    (void)lock;
}
#endif

#endif
