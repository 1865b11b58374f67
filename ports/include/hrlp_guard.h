/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_GUARD_H
#define HRLP_GUARD_H

#include <stdbool.h>

/*
 * Porting contract: a guard at the low end of the running thread's stack, which faults when it is
 * touched. A port without one, and every build that did not ask for one, takes hrlp_no_guard.h,
 * which costs nothing.
 */

/*
 * Readies the hardware, with the guard in `stack`. False: this processor cannot. Context: start-up.
 */
static inline bool hrlp_guard_start(const void *stack);

/*
 * Moves the guard to `stack`, the lowest address of that of the thread to run. Context: the
 * dispatch.
 */
static inline void hrlp_guard_move(const void *stack);

/* The lowest address of `stack` that its thread may use, aligned to 4 bytes. Context: any. */
static inline void *hrlp_guard_lowest(void *stack);

#include "hrlp_guard_arch.h"

#endif
