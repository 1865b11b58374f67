/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_HASHED_WHEEL_H
#define HRLI_HASHED_WHEEL_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a hashed wheel. A key belongs to the slot (key / 2^width_bits) modulo slot_count,
 * whatever the round; a slot holds its nodes in order, those of later rounds behind.
 *
 * A wheel that is turned tick by tick need not know its first node. This one must, and a map of
 * occupied slots does not tell: a slot may be occupied by a later round only. So the first nodes of
 * the slots play a tournament, two by two; its winner is the first of all. Equal keys share a slot
 * and never meet.
 *
 * The contract is README.md's. Costs: first O(1); pop and remove one match a level, log2 of
 * slot_count at most; insert O(those in the same slot that are later), and where that leads the
 * slot, the matches until it loses. Needs no notion of now: keys in the past cost the same. Source:
 * Varghese and Lauck, Hashed and Hierarchical Timing Wheels (1987), scheme 6; the tournament:
 * Knuth, volume 3, 5.4.1.
 */
struct hrli_hashed_wheel {
    struct hrli_queue_node *
        *winners; /* of matches i = 1 .. slot_count - 1, between 2 i and 2 i + 1;
                                         from slot_count on, the slots. NULL: no node */
    uint32_t width_bits;
    uint32_t slot_count; /* a power of two */
};

/* Elements that `init` is given for so many slots. */
#define HRLI_HASHED_WHEEL_STORAGE(slot_count) (2 * (slot_count))

/*
 * Makes the queue empty. `storage`, of HRLI_HASHED_WHEEL_STORAGE(slot_count) elements, is the
 * queue's from here on. `slot_count` is a power of two, width_bits less than 32.
 */
void hrli_hashed_wheel_init(struct hrli_hashed_wheel *wheel, uint32_t width_bits,
                            struct hrli_queue_node **storage, size_t slot_count);

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_hashed_wheel_first(struct hrli_hashed_wheel *wheel)
{
    return wheel->winners[1];
}

/* Puts in `node`, which has its key set. Returns whether it is now the first. */
bool hrli_hashed_wheel_insert(struct hrli_hashed_wheel *wheel, struct hrli_queue_node *node);

/* Takes `node`, which is in the queue, out. */
void hrli_hashed_wheel_remove(struct hrli_hashed_wheel *wheel, struct hrli_queue_node *node);

/* The first is taken out like any other. */
#define hrli_hashed_wheel_pop hrli_hashed_wheel_remove

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_hashed_wheel(name, nodes, slots, bits)                                         \
    static struct hrli_queue_node *name##_slots[HRLI_HASHED_WHEEL_STORAGE(slots)];
#define HRLI_INIT_hashed_wheel(name, nodes, slots, bits)                                           \
    hrli_hashed_wheel_init(&(name), bits, name##_slots, slots)

#endif
