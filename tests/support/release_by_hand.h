/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_RELEASE_BY_HAND_H
#define SUPPORT_RELEASE_BY_HAND_H

#include "random.h"
#include "releaser.h"
#include "with_cmocka.h"
#include <string.h>

/*
 * A releaser without a cell, and its waiters, whose store a test calls by hand. Waiter i has a
 * level of its own, 1 + i, so that the ready set tells who is in.
 */
enum { BY_HAND = 24 };

static struct hrli_ready_set by_hand_set;
static struct hrli_releaser by_hand = {.ready = &by_hand_set};
static struct hrli_waiter by_hand_waiters[BY_HAND];

static inline void by_hand_reset(void)
{
    memset(&by_hand_set, 0, sizeof by_hand_set);
    memset(by_hand_waiters, 0, sizeof by_hand_waiters);
    hrli_ready_init(&by_hand_set);
    by_hand = (struct hrli_releaser){.ready = &by_hand_set};
    for (unsigned i = 0; i < BY_HAND; i++) {
        by_hand_waiters[i].ready.level = 1 + i;
    }
}

/* Who is ready, as bits of their numbers; takes them out. */
static inline uint32_t by_hand_take_ready(void)
{
    uint32_t ready = 0;

    for (unsigned i = 0; i < BY_HAND; i++) {
        if (hrli_ready_contains(&by_hand_set, &by_hand_waiters[i].ready)) {
            hrli_ready_remove(&by_hand_set, &by_hand_waiters[i].ready);
            ready |= (uint32_t)1 << i;
        }
    }
    return ready;
}

#endif
