/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SEMAPHORE_TOKENS_H
#define HRLI_SEMAPHORE_TOKENS_H

#include "wait.h"
#include <hrl/semaphore.h>

/* Giving tokens: what one call of an application and the expiry of a late alarm share. */

/*
 * Gives a token to the first thread that waits, if any does, and then unlocks with `state`. Context:
 * as hrl_semaphore_give, interrupts masked.
 */
static inline bool hrli_semaphore_give_first(struct hrl_semaphore *semaphore, hrlp_irq_state state)
{
    struct hrl_thread *thread = semaphore->waiters.first;

    if (thread == NULL) {
        return false;
    }
    if (HRL_CORES > 1) { /* earlier, as it takes time to ring */
        hrli_wake(thread, HRL_OK);
    }
    (void)hrli_wait_queue_pop(&semaphore->waiters);
    if (HRL_CORES == 1) {
        hrli_wake(thread, HRL_OK);
    }
    hrli_sync_unlock(state);
    hrli_dispatch_woken(thread);
    return true;
}

/*
 * Gives `tokens` tokens, not 0, as far as there is room: a step for each thread that waits, and one
 * for all the others together. Context: as hrl_semaphore_give.
 */
void hrli_semaphore_give_tokens(struct hrl_semaphore *semaphore, uint32_t tokens);

#endif
