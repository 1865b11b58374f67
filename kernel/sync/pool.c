/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "wait.h"
#include <hrl/pool.h>

enum hrl_status hrl_pool_take(struct hrl_pool *pool, void **block, hrl_counts until)
{
    hrlp_irq_state state = hrlp_irq_lock();
    void *taken = pool->free;
    enum hrl_status status;

    if (taken != NULL) {
        pool->free = *(void **)taken;
    } else if (pool->fresh != pool->end) {
        taken = pool->fresh;
        pool->fresh = (char *)taken + pool->block_bytes;
    } else {
        status = hrli_wait(&pool->waiters, until, state);
        if (status == HRL_OK) {
            *block = hrli_core.running->wait.data;
        }
        return status;
    }
    hrlp_irq_unlock(state);
    *block = taken;
    return HRL_OK;
}

static bool is_block_of(const struct hrl_pool *pool, const void *block)
{
    uintptr_t offset = (uintptr_t)block - (uintptr_t)pool->blocks;

    return offset < (uintptr_t)pool->fresh - (uintptr_t)pool->blocks &&
           offset % pool->block_bytes == 0;
}

void hrl_pool_give(struct hrl_pool *pool, void *block)
{
    hrlp_irq_state state;
    struct hrl_thread *thread;

    HRLI_CHECK(is_block_of(pool, block), "what is given to a pool is no block of it");
    state = hrlp_irq_lock();
    thread = pool->waiters.first;
    if (thread == NULL) {
        *(void **)block = pool->free;
        pool->free = block;
        hrlp_irq_unlock(state);
        return;
    }
    (void)hrli_wait_queue_pop(&pool->waiters);
    thread->wait.data = block;
    hrli_wake(thread, HRL_OK);
    hrlp_irq_unlock(state);
    hrli_core_dispatch_above(thread->waiter.ready.level);
}
