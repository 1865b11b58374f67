/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#define HRLI_OUT_OF_LINE /* here stands what the public header may inline */
#include "semaphore_tokens.h"
#include "wait.h"
#include <hrl/semaphore.h>

/*
 * The short ways are one linked load and store where the processor has them, else they mask
 * interrupts; the long ones do everything, and stand apart, so that the short ones have no frame to
 * build.
 */

/* Takes a token if there is one; linked, it may fail to. */
static inline bool try_take(struct hrl_semaphore *semaphore)
{
    hrlp_irq_state state;
    hrli_number count;

    if (HRLI_SYNC_LINKS) {
        count = hrlp_cpu_load_linked(&semaphore->count);
        return count != 0 && hrlp_cpu_store_linked(&semaphore->count, (hrli_number)(count - 1u));
    }
    state = hrli_sync_lock();
    count = semaphore->count;
    if (count != 0) {
        HRLP_SHOW(semaphore->count, (hrli_number)(count - 1u));
    }
    hrli_sync_unlock(state);
    return count != 0;
}

static inline __attribute__((always_inline)) enum hrl_status
take_or_wait(struct hrl_semaphore *semaphore, hrl_counts until, bool forever)
{
    hrlp_irq_state state;

    HRLI_CHECK(semaphore->limit != 0, "a semaphore that is not initialised");
    while (state = hrli_sync_lock(), semaphore->count == 0) {
        if (until == HRL_NO_WAIT) {
            hrli_sync_unlock(state);
            return HRL_WOULD_WAIT;
        }
        hrli_wait_enter(&semaphore->waiters, state);
        if (semaphore->count == 0) {
            return forever ? hrli_wait_forever(state) : hrli_wait_stay(until, state);
        }
        hrli_wait_leave(state);
    }
    HRLP_SHOW(semaphore->count, (hrli_number)(semaphore->count - 1u));
    hrli_sync_unlock(state);
    return HRL_OK;
}

static __attribute__((noinline)) enum hrl_status take_until(struct hrl_semaphore *semaphore,
                                                            hrl_counts until)
{
    return take_or_wait(semaphore, until, false);
}

enum hrl_status hrl_semaphore_take(struct hrl_semaphore *semaphore, hrl_counts until)
{
    HRLI_CHECK_WAIT("hrl_semaphore_take", until);
    return try_take(semaphore) ? HRL_OK : take_until(semaphore, until);
}

static __attribute__((noinline)) enum hrl_status wait_for_token(struct hrl_semaphore *semaphore)
{
    return take_or_wait(semaphore, HRL_FOREVER, true);
}

enum hrl_status hrl_semaphore_take_forever(struct hrl_semaphore *semaphore)
{
    HRLI_CHECK_MAY_WAIT("hrl_semaphore_take_forever");
    return try_take(semaphore) ? HRL_OK : wait_for_token(semaphore);
}

/*
 * Adds a token if no thread waits, and there is room; it may fail to. Without tokens there is room, as
 * the limit is not 0.
 */
static inline bool try_give_linked(struct hrl_semaphore *semaphore)
{
    hrli_number count = hrlp_cpu_load_linked(&semaphore->count);

    if (__builtin_expect(semaphore->waiters.first != NULL, false)) {
        return false;
    }
    if (__builtin_expect(count != 0, false) && count >= semaphore->limit) {
        return false;
    }
    return hrlp_cpu_store_linked(&semaphore->count, (hrli_number)(count + 1u));
}

static __attribute__((noinline)) enum hrl_status give_any_way(struct hrl_semaphore *semaphore)
{
    hrlp_irq_state state = hrli_sync_lock();
    hrli_number count;

    if (__builtin_expect(semaphore->waiters.first != NULL, false)) { /* a short branch is enough */
        (void)hrli_semaphore_give_first(semaphore, state);
        return HRL_OK;
    }
    count = semaphore->count;
    if (count < semaphore->limit) {
        HRLP_SHOW(semaphore->count, (hrli_number)(count + 1u));
        hrli_sync_unlock(state);
        return HRL_OK;
    }
    hrli_sync_unlock(state);
    return HRL_FULL;
}

enum hrl_status hrl_semaphore_give(struct hrl_semaphore *semaphore)
{
    HRLI_CHECK_CALL("hrl_semaphore_give");
    HRLI_CHECK(semaphore->limit != 0, "a semaphore that is not initialised");
    return HRLI_SYNC_LINKS && try_give_linked(semaphore) ? HRL_OK : give_any_way(semaphore);
}

uint32_t hrl_semaphore_count(const struct hrl_semaphore *semaphore)
{
    return HRLP_SEE(semaphore->count);
}
