/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_STACK_H
#define HRLI_STACK_H

#include "check.h"
#include "hrlp_cpu.h"
#include "hrlp_guard.h"
#include <hrl/thread.h>

/*
 * Stacks are painted before their thread begins, so that it can be seen later how much of it was
 * used. The lowest word that the thread may use stays painted: it is the canary that shows an
 * overflow.
 */
#define HRLI_STACK_PAINT 0x5AC3A53Cu /* no address, no small number, no text */

/* Fills the stack of `thread`, which does not use it. Context: a thread, start-up. */
void hrli_stack_paint(struct hrl_thread *thread);

/*
 * Stops if `thread` has left its stack, which it is switched away from with this saved stack
 * pointer. Finds a thread that wrote to the canary or is still below it; a thread that jumped over
 * the canary and came back is not found. Context: the dispatch.
 */
static inline void hrli_stack_check(const struct hrl_thread *thread, const void *stack_pointer)
{
    if (HRL_CHECKS && HRLP_CPU_GIVEN_STACKS) {
        const volatile uint32_t *lowest = hrlp_guard_lowest(thread->stack);

        HRLI_CHECK((uintptr_t)stack_pointer - (uintptr_t)lowest < thread->stack_bytes &&
                       *lowest == HRLI_STACK_PAINT,
                   "stack overflow");
    }
}

#endif
