/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "semaphore_tokens.h"

void hrli_semaphore_give_tokens(struct hrl_semaphore *semaphore, uint32_t tokens)
{
    hrlp_irq_state state;
    hrli_number room;

    HRLI_CHECK(semaphore->limit != 0, "a semaphore that is not initialised");
    while (state = hrli_sync_lock(), hrli_semaphore_give_first(semaphore, state)) {
        if (--tokens == 0) {
            return;
        }
    }
    room = (hrli_number)(semaphore->limit - semaphore->count);
    HRLP_SHOW(semaphore->count,
              (hrli_number)(semaphore->count + (tokens < room ? (hrli_number)tokens : room)));
    hrli_sync_unlock(state);
}
