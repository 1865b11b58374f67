/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_GUARD_H
#define HRLP_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Porting contract: a guard at the low end of the running thread's stack, and where the hardware
 * allows of the main stack, which faults when it is touched. A port without one, and every build that did not ask for one, takes hrlp_no_guard.h,
 * which costs nothing.
 */

/*
 * Readies the hardware, with the guard in `stack`; NULL, if no threads run, is none. False: this
 * processor cannot. Context: start-up.
 */
static inline bool hrlp_guard_start(const void *stack);

/*
 * Moves the guard to `stack`, the lowest address of that of the thread to run. Context: the
 * dispatch.
 */
static inline void hrlp_guard_move(const void *stack);

/* The lowest address of `stack` that its thread may use, aligned to 4 bytes. Context: any. */
static inline void *hrlp_guard_lowest(void *stack);

/*
 * HRLP_GUARD_MORE is by how many bytes the kernel's own stacks have to be larger than for the
 * smallest guard, which they have room for: 0, unless the build chose a larger one.
 */

/*
 * Ends all guards, as the system stops; and the reason to report if `address`, where an access was
 * refused, was guarded, or NULL. Context: the port's handler of faults.
 */
static inline const char *hrlp_guard_end(uintptr_t address);

#include "hrlp_guard_arch.h"

#endif
