/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_MASKS_BY_HAND_H
#define SUPPORT_MASKS_BY_HAND_H

#include "release_by_hand.h"
#include "release_by_mask.h"

/* The waiters of release_by_hand.h as bits: waiter i is bit i % 6 of level 1 + i / 6. */
static struct hrli_ready_node *by_hand_by_bit[BY_HAND / 6][6];

static inline void masks_by_hand_reset(void)
{
    by_hand_reset();
    for (unsigned i = 0; i < BY_HAND; i++) {
        struct hrli_ready_node *node = &by_hand_threads[i].thread.ready;

        node->priority = node->mask_priority = 1 + i / 6;
        node->mask_bit = (uint32_t)1 << i % 6;
        by_hand_by_bit[i / 6][i % 6] = node;
        hrli_ready_masked(&by_hand_set)->by_bit[node->priority] = by_hand_by_bit[i / 6];
    }
}

/* The threads of these numbers, as bits, wait for their release. */
static inline void masks_by_hand_put(uint32_t numbers)
{
    for (unsigned i = 0; i < BY_HAND; i++) {
        if ((numbers >> i & 1u) != 0) {
            hrli_release_by_mask_put(&by_hand, NULL, &by_hand_threads[i].waiter);
        }
    }
}

#endif
