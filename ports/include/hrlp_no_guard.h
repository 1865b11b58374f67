/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_GUARD_H
#define HRLP_NO_GUARD_H

#include <stddef.h>
#include <stdint.h>

/* hrlp_guard.h without a guard: the whole stack is the thread's. */

#define HRLP_GUARD_MORE 0

static inline bool hrlp_guard_start(const void *stack)
{
    (void)stack;
    return true;
}

static inline void hrlp_guard_move(const void *stack)
{
    (void)stack;
}

static inline void *hrlp_guard_lowest(void *stack)
{
    return stack;
}

static inline const char *hrlp_guard_end(uintptr_t address)
{
    (void)address;
    return NULL;
}

#endif
