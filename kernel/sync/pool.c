/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "wait.h"
#include <hrl/pool.h>

/*
 * A free block begins with the link to the next one. With checks its second word carries a mark, by
 * which a block that is given twice is found. Who has taken a block may write anything there, even
 * the mark: so that alone proves nothing, and then the list is searched.
 */
static uintptr_t *mark_of(void *block)
{
    return (uintptr_t *)block + 1;
}

static uintptr_t mark(const void *block)
{
    return ~(uintptr_t)block;
}

static bool is_free(const struct hrl_pool *pool, const void *block)
{
    const void *other = pool->free;

    while (other != NULL && other != block) {
        other = *(void *const *)other;
    }
    return other != NULL;
}

/* Context: interrupts masked. */
static void check_given(const struct hrl_pool *pool, void *block)
{
    HRLI_CHECK(*mark_of(block) != mark(block) || !is_free(pool, block),
               "a block given to its pool twice");
}

/* There is one. Context: interrupts masked. */
static void *take_free(struct hrl_pool *pool)
{
    void *taken = pool->free;

    pool->free = *(void **)taken;
    if (HRL_CHECKS) {
        *mark_of(taken) = 0;
    }
    return taken;
}

static enum hrl_status wait_for(struct hrl_pool *pool, void **block, hrl_counts until,
                                hrlp_irq_state state)
{
    enum hrl_status status;

    if (until == HRL_NO_WAIT) {
        hrlp_irq_unlock(state);
        return HRL_WOULD_WAIT;
    }
    do {
        hrli_wait_enter(&pool->waiters, state);
        if (pool->free == NULL) {
            status = hrli_wait_stay(until, state);
            if (status == HRL_OK) {
                *block = hrli_core.running->wait.data;
            }
            return status;
        }
        hrli_wait_leave(state);
        state = hrlp_irq_lock();
    } while (pool->free == NULL);
    *block = take_free(pool);
    hrlp_irq_unlock(state);
    return HRL_OK;
}

enum hrl_status hrl_pool_take(struct hrl_pool *pool, void **block, hrl_counts until)
{
    hrlp_irq_state state = hrlp_irq_lock();
    void *taken = pool->free;

    if (taken != NULL) {
        (void)take_free(pool);
    } else if (pool->fresh != pool->end) {
        taken = pool->fresh;
        pool->fresh = (char *)taken + pool->block_bytes;
    } else {
        HRLI_CHECK(pool->blocks != NULL, "a pool that is not initialised");
        return wait_for(pool, block, until, state);
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
    check_given(pool, block);
    thread = pool->waiters.first;
    if (thread == NULL) {
        if (HRL_CHECKS) {
            *mark_of(block) = mark(block);
        }
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
