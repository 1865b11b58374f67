/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_HIERARCHICAL_WHEEL_H
#define HRLI_HIERARCHICAL_WHEEL_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a hierarchy of wheels of 32 slots, those of a level 32 times as wide as those of the
 * level below; the top level spans all stamps.
 *
 * A key is read as digits: above its low width_bits bits, five bits a level, from the bottom. A
 * node stands in the level of the highest digit in which its key differs from `base`, and there in
 * that digit's slot. So the nodes of a level share all higher digits with the base, and the order
 * of the slots is that of their keys.
 *
 * There is no cascade. Slots are kept in order from the start (the work is done in `insert`), so
 * the first of a level is the first of its first slot, and the first of all is the first of seven
 * at most. What has come near in a high level stays where it is until it is due. `base` moves on in
 * `insert`, to the key of the first node: of equal keys those in a higher level are then older, as
 * a key's level relative to the base can only fall while the base approaches. Keys before the base
 * have levels and slots by the same rule.
 *
 * The contract is README.md's. Costs: first O(1); pop and remove a step for each occupied level, of
 * which there are at most seven; insert O(those in the same slot that are later), and O(n) to set a
 * new base when a key lies 2^31 counts or more before it (only after removals, and past keys).
 * Source: Varghese and Lauck, Hashed and Hierarchical Timing Wheels (1987), scheme 7.
 */
enum { HRLI_HIERARCHICAL_WHEEL_LEVELS = 7 };

struct hrli_hierarchical_wheel {
    struct hrli_queue_node *first;  /* NULL: the queue is empty */
    struct hrli_queue_node **slots; /* 32 a level, from the bottom */
    hrl_stamp base;
    uint32_t width_bits;
    uint32_t levels;                                   /* bit n: level n is occupied */
    uint32_t top;                                      /* the highest level */
    uint32_t occupied[HRLI_HIERARCHICAL_WHEEL_LEVELS]; /* bit 31 - n: slot n of the level is */
};

/* Elements that `init` is given for slots of 2^width_bits counts in the lowest level. */
#define HRLI_HIERARCHICAL_WHEEL_SLOTS(width_bits) (32 * ((31 - (width_bits)) / 5 + 1))

/*
 * Makes the queue empty. `slots`, of slot_count = HRLI_HIERARCHICAL_WHEEL_SLOTS(width_bits)
 * elements, is the queue's from here on. width_bits is less than 32.
 */
void hrli_hierarchical_wheel_init(struct hrli_hierarchical_wheel *wheel, uint32_t width_bits,
                                  struct hrli_queue_node **slots, size_t slot_count);

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *
hrli_hierarchical_wheel_first(struct hrli_hierarchical_wheel *wheel)
{
    return wheel->first;
}

/* Puts in `node`, which has its key set. Returns whether it is now the first. */
bool hrli_hierarchical_wheel_insert(struct hrli_hierarchical_wheel *wheel,
                                    struct hrli_queue_node *node);

/* Takes `first`, the first node, out. */
void hrli_hierarchical_wheel_pop(struct hrli_hierarchical_wheel *wheel,
                                 struct hrli_queue_node *first);

/* Takes `node`, which is in the queue, out. */
void hrli_hierarchical_wheel_remove(struct hrli_hierarchical_wheel *wheel,
                                    struct hrli_queue_node *node);

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_hierarchical_wheel(name, nodes, slots, bits)                                   \
    static struct hrli_queue_node *name##_slots[HRLI_HIERARCHICAL_WHEEL_SLOTS(bits)];
#define HRLI_INIT_hierarchical_wheel(name, nodes, slots, bits)                                     \
    hrli_hierarchical_wheel_init(&(name), bits, name##_slots, HRLI_HIERARCHICAL_WHEEL_SLOTS(bits))

#endif
