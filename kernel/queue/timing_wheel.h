/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_TIMING_WHEEL_H
#define HRLI_TIMING_WHEEL_H

#include "queue_node.h"
#include "slot_map.h"
#include "sorted_list.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a timing wheel, with a sorted list for what lies beyond it.
 *
 * The wheel shows a window of time, `slot_count` slots of 2^width_bits counts from `start` on. A
 * slot holds the nodes of its stretch, in order; whatever lay outside the window when it was put in
 * is in `late`, a sorted list, and stays there. So the first node is that of the wheel or that of
 * `late`, and nothing has to move when the window does. Of equal keys the one in `late` is older:
 * the wheel never holds a key that is outside its window.
 *
 * `pop` moves the window on to the node that it takes. An insertion before the window moves it back
 * and the slots that fall out at its end into `late`.
 *
 * The contract is README.md's. Costs: first O(1); pop and remove O(1), three words of the slot map
 * at most; insert O(1) and, in addition, O(those in the same slot that are later), or beyond the
 * window O(those there that are later), or before it O(`late` and those that leave the wheel).
 * Source: Varghese and Lauck, Hashed and Hierarchical Timing Wheels (1987), scheme 4; theirs has no
 * count resolution within a slot.
 */
struct hrli_timing_wheel {
    struct hrli_queue_node *first; /* NULL: the queue is empty */
    struct hrli_queue_node **slots;
    hrl_stamp start;     /* of the window: the start of a slot. Anything while the wheel is empty */
    uint32_t width_bits; /* a slot is 2^width_bits counts */
    uint32_t slot_count; /* a power of two */
    struct hrli_slot_map occupied;
    struct hrli_sorted_list late;
};

/*
 * Makes the queue empty. `slots`, of `slot_count` elements, is the queue's from here on.
 * `slot_count` is a power of two, at most HRLI_SLOT_MAP_SLOTS, and slot_count << width_bits at most
 * 2^31.
 */
void hrli_timing_wheel_init(struct hrli_timing_wheel *wheel, uint32_t width_bits,
                            struct hrli_queue_node **slots, size_t slot_count);

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_timing_wheel_first(struct hrli_timing_wheel *wheel)
{
    return wheel->first;
}

/* Puts in `node`, which has its key set. Returns whether it is now the first. */
bool hrli_timing_wheel_insert(struct hrli_timing_wheel *wheel, struct hrli_queue_node *node);

/* Takes `first`, the first node, out. */
void hrli_timing_wheel_pop(struct hrli_timing_wheel *wheel, struct hrli_queue_node *first);

/* Takes `node`, which is in the queue, out. */
void hrli_timing_wheel_remove(struct hrli_timing_wheel *wheel, struct hrli_queue_node *node);

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_timing_wheel(name, nodes, slots, bits)                                         \
    static struct hrli_queue_node *name##_slots[slots];
#define HRLI_INIT_timing_wheel(name, nodes, slots, bits)                                           \
    hrli_timing_wheel_init(&(name), bits, name##_slots, slots)

#endif
