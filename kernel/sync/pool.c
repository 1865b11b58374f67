/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "wait.h"
#include <hrl/pool.h>

/*
 * A free block begins with the link to the next one. With checks its second word carries a mark, by
 * which a block that is given twice is found. An application may write anything into a block that
 * it has taken, even the mark: so the mark proves nothing, and then the list is searched.
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
               "hrl_pool_give: the block was given back before");
}

/* Takes a block that was given back; there is one. Context: interrupts masked. */
static void *take_free(struct hrl_pool *pool)
{
    void *taken = pool->free;

    pool->free = *(void **)taken;
    if (HRL_CHECKS) {
        *mark_of(taken) = 0;
    }
    return taken;
}

/* Takes a free block, given back or never taken; NULL: none. Context: interrupts masked. */
static void *take_any(struct hrl_pool *pool)
{
    void *taken = pool->fresh;

    if (pool->free != NULL) {
        return take_free(pool);
    }
    if (taken == pool->end) {
        return NULL;
    }
    HRLP_SHOW(pool->fresh, (char *)taken + pool->block_bytes);
    return taken;
}

/* Apart, so that a call that finds a block that was given back has no frame to build for it. */
static __attribute__((noinline)) enum hrl_status take_or_wait(struct hrl_pool *pool, void **block,
                                                              hrl_counts until)
{
    hrlp_irq_state state;
    enum hrl_status status;
    void *taken;

    HRLI_CHECK(pool->blocks != NULL, "a pool that is not initialised");
    while (state = hrli_sync_lock(), (taken = take_any(pool)) == NULL) {
        if (until == HRL_NO_WAIT) {
            hrli_sync_unlock(state);
            return HRL_WOULD_WAIT;
        }
        hrli_wait_enter(&pool->waiters, state);
        if (pool->free == NULL) {
            status = hrli_wait_stay(until, state);
            if (status == HRL_OK) {
                *block = hrli_core.running->wait.data;
            }
            return status;
        }
        hrli_wait_leave(state);
    }
    hrli_sync_unlock(state);
    *block = taken;
    return HRL_OK;
}

/* Takes a block that was given back; NULL: there is none, or the linked store failed. */
static inline void *take_linked(struct hrl_pool *pool)
{
    void *taken = hrlp_cpu_load_pointer_linked(&pool->free);

    if (taken == NULL || !hrlp_cpu_store_pointer_linked(&pool->free, *(void *volatile *)taken)) {
        return NULL;
    }
    if (HRL_CHECKS) {
        *mark_of(taken) = 0;
    }
    return taken;
}

enum hrl_status hrl_pool_take(struct hrl_pool *pool, void **block, hrl_counts until)
{
    void *taken;

    HRLI_CHECK_WAIT("hrl_pool_take", until);
    taken = HRLI_SYNC_LINKS ? take_linked(pool) : NULL;
    if (taken == NULL) {
        return take_or_wait(pool, block, until);
    }
    *block = taken;
    return HRL_OK;
}

static bool is_block_of(const struct hrl_pool *pool, const void *block)
{
    uintptr_t offset = (uintptr_t)block - (uintptr_t)pool->blocks;

    return offset < (uintptr_t)HRLP_SEE(pool->fresh) - (uintptr_t)pool->blocks &&
           offset % pool->block_bytes == 0;
}

/*
 * Puts `block` onto the list if no thread waits; it may fail to. Nothing is stored between the linked
 * load and the store.
 */
static inline bool give_linked(struct hrl_pool *pool, void *block)
{
    void *last = pool->free;

    *(void *volatile *)block = last;
    if (__builtin_expect(hrlp_cpu_load_pointer_linked(&pool->free) != last, false) ||
        __builtin_expect(pool->waiters.first != NULL, false)) {
        return false;
    }
    return hrlp_cpu_store_pointer_linked(&pool->free, block);
}

static __attribute__((noinline)) void give_any_way(struct hrl_pool *pool, void *block)
{
    hrlp_irq_state state = hrli_sync_lock();
    struct hrl_thread *thread = pool->waiters.first;

    check_given(pool, block);
    if (thread == NULL) {
        if (HRL_CHECKS) {
            *mark_of(block) = mark(block);
        }
        *(void **)block = pool->free;
        pool->free = block;
        hrli_sync_unlock(state);
        return;
    }
    (void)hrli_wait_queue_pop(&pool->waiters);
    thread->wait.data = block;
    hrli_wake(thread, HRL_OK);
    hrli_sync_unlock(state);
    hrli_dispatch_woken(thread);
}

void hrl_pool_give(struct hrl_pool *pool, void *block)
{
    HRLI_CHECK_CALL("hrl_pool_give");
    HRLI_CHECK(is_block_of(pool, block), "hrl_pool_give: the address is not a block of this pool");
    if (!HRLI_SYNC_LINKS || HRL_CHECKS || !give_linked(pool, block)) { /* checks search the list */
        give_any_way(pool, block);
    }
}
