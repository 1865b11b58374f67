/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_RELEASE_BY_HAND_H
#define SUPPORT_RELEASE_BY_HAND_H

#include "hrlp_irq.h"
#include "random.h"
#include "releaser.h"
#include "with_cmocka.h"
#include <string.h>

/*
 * A releaser without a cell, its waiters, and a store that a test calls by hand. Waiter i has a
 * level of its own, 1 + i, so that the ready queue tells which are in.
 */
enum { BY_HAND = 24 };

static struct hrli_ready_queue by_hand_set;
static struct hrli_releaser by_hand = {.ready = &by_hand_set};
static struct hrli_periodic_thread by_hand_threads[BY_HAND];

static inline void by_hand_reset(void)
{
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED); /* as a handler finds it */
    memset(&by_hand_set, 0, sizeof by_hand_set);
    memset(by_hand_threads, 0, sizeof by_hand_threads);
    hrli_ready_init(&by_hand_set);
    by_hand = (struct hrli_releaser){.ready = &by_hand_set};
    for (unsigned i = 0; i < BY_HAND; i++) {
        by_hand_threads[i].thread.ready.priority = (uint16_t)(1 + i);
    }
}

/* The ready threads, as bits of their numbers; takes them out. */
static inline uint32_t by_hand_take_ready(void)
{
    uint32_t ready = 0;

    for (unsigned i = 0; i < BY_HAND; i++) {
        if (hrli_ready_contains(&by_hand_set, &by_hand_threads[i].thread.ready)) {
            hrli_ready_remove(&by_hand_set, &by_hand_threads[i].thread.ready);
            ready |= (uint32_t)1 << i;
        }
    }
    return ready;
}

#endif
