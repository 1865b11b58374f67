/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "semaphore_tokens.h"

void hrli_semaphore_give_tokens(struct hrl_semaphore *semaphore, uint32_t tokens)
{
    hrlp_irq_state state;
    uint32_t room;

    HRLI_CHECK(semaphore->limit != 0, "a semaphore that is not initialised");
    while (state = hrlp_irq_lock(), hrli_semaphore_give_first(semaphore, state)) {
        if (--tokens == 0) {
            return;
        }
    }
    room = semaphore->limit - semaphore->count;
    semaphore->count += tokens < room ? tokens : room;
    hrlp_irq_unlock(state);
}
