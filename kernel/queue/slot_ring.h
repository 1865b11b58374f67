/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SLOT_RING_H
#define HRLI_SLOT_RING_H

#include "queue_node.h"
#include "stamp.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * What a slot of a wheel holds: nodes in order, first come first out among equals.
 *
 * One pointer, to the first, or NULL; the nodes form a ring without a head, so that the last is the
 * first's `previous`. The caller owns the wheel.
 */

/*
 * Puts `node` in, behind all that are not later: O(those that are later), as it looks from the end,
 * where new nodes mostly belong. Returns whether it is now the first of the slot.
 */
static inline bool hrli_slot_ring_insert(struct hrli_queue_node **slot,
                                         struct hrli_queue_node *node)
{
    struct hrli_queue_node *first = *slot;
    struct hrli_queue_node *before;
    bool is_first;

    if (first == NULL) {
        node->next = node;
        node->previous = node;
        *slot = node;
        return true;
    }
    before = first->previous;
    is_first = hrli_stamp_after(first->key, node->key);
    if (is_first) {
        *slot = node;
    } else {
        while (hrli_stamp_branch_after(before->key,
                                       node->key)) { /* the first ends it: it is not later */
            before = before->previous;
        }
    }
    node->previous = before;
    node->next = before->next;
    before->next->previous = node;
    before->next = node;
    return is_first;
}

/* Takes `node` out; returns the slot's first now, or NULL if that leaves it empty. */
static inline struct hrli_queue_node *hrli_slot_ring_remove(struct hrli_queue_node **slot,
                                                            struct hrli_queue_node *node)
{
    struct hrli_queue_node *next = node->next;
    struct hrli_queue_node *first = *slot;

    if (next == node) {
        *slot = NULL;
        return NULL;
    }
    next->previous = node->previous;
    node->previous->next = next;
    if (first == node) {
        *slot = next;
        return next;
    }
    return first;
}

#endif
