/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "timing_wheel.h"
#include "slot_ring.h"
#include "stamp.h"

enum { IS_LATE = 0 }; /* in hrli_queue_node.spare: whether the node is in `late` */

static inline hrl_stamp slot_start(const struct hrli_timing_wheel *wheel, hrl_stamp key)
{
    return key >> wheel->width_bits << wheel->width_bits;
}

static inline uint32_t slot_of(const struct hrli_timing_wheel *wheel, hrl_stamp key)
{
    return (key >> wheel->width_bits) & (wheel->slot_count - 1);
}

/* How many slots `key` is from the start of the window; outside it, slot_count or more. */
static inline uint32_t slots_ahead(const struct hrli_timing_wheel *wheel, hrl_stamp key)
{
    return (key - wheel->start) >> wheel->width_bits;
}

static inline bool wheel_is_empty(const struct hrli_timing_wheel *wheel)
{
    return wheel->occupied.words == 0;
}

void hrli_timing_wheel_init(struct hrli_timing_wheel *wheel, uint32_t width_bits,
                            struct hrli_queue_node **slots, size_t slot_count)
{
    wheel->first = NULL;
    wheel->slots = slots;
    wheel->start = 0;
    wheel->width_bits = width_bits;
    wheel->slot_count = (uint32_t)slot_count;
    for (size_t i = 0; i < slot_count; i++) {
        slots[i] = NULL;
    }
    hrli_slot_map_init(&wheel->occupied);
    hrli_sorted_list_init(&wheel->late);
}

static inline void link_before(struct hrli_queue_node *after, struct hrli_queue_node *node)
{
    node->next = after;
    node->previous = after->previous;
    after->previous->next = node;
    after->previous = node;
    node->spare[IS_LATE] = true;
}

/* Puts `node` into `late`, looking from the end. */
static void insert_late(struct hrli_timing_wheel *wheel, struct hrli_queue_node *node)
{
    struct hrli_queue_node *head = &wheel->late.head;
    struct hrli_queue_node *after = head;

    head->key = node->key; /* ends the walk: it is not later */
    while (hrli_stamp_branch_after(after->previous->key, node->key)) {
        after = after->previous;
    }
    link_before(after, node);
}

/* Moves all of `slot` into `late`, looking from `after` on; returns where it stopped looking. */
static struct hrli_queue_node *evict(struct hrli_timing_wheel *wheel, uint32_t slot,
                                     struct hrli_queue_node *after)
{
    struct hrli_queue_node *node = wheel->slots[slot];
    struct hrli_queue_node *last = node->previous;
    struct hrli_queue_node *next = node;

    wheel->slots[slot] = NULL;
    hrli_slot_map_clear(&wheel->occupied, slot);
    do {
        node = next;
        next = node->next;
        while (after != &wheel->late.head && !hrli_stamp_branch_after(after->key, node->key)) {
            after = after->next; /* in `late` already, so older */
        }
        link_before(after, node);
    } while (node != last);
    return after;
}

/* Moves the window back, so that it starts with the slot of `key`. */
static void move_back(struct hrli_timing_wheel *wheel, hrl_stamp key)
{
    hrl_stamp start = slot_start(wheel, key);
    uint32_t back = (wheel->start - start) >> wheel->width_bits;
    uint32_t kept = back < wheel->slot_count ? wheel->slot_count - back : 0;
    struct hrli_queue_node *after = wheel->late.head.next;

    while (!wheel_is_empty(wheel)) {
        uint32_t oldest = slot_of(wheel, wheel->start);
        uint32_t boundary = (oldest + kept) & (wheel->slot_count - 1);
        uint32_t slot = hrli_slot_map_next(&wheel->occupied, boundary);

        if (((slot - oldest) & (wheel->slot_count - 1)) < kept) {
            break; /* round the end: all behind the boundary are out */
        }
        after = evict(wheel, slot, after);
    }
    wheel->start = start;
}

bool hrli_timing_wheel_insert(struct hrli_timing_wheel *wheel, struct hrli_queue_node *node)
{
    hrl_stamp key = node->key;
    struct hrli_queue_node *first = wheel->first;
    bool is_first = first == NULL || hrli_stamp_after(first->key, key);

    if (wheel_is_empty(wheel)) {
        wheel->start = slot_start(wheel, is_first ? key : first->key);
    } else if (hrli_stamp_after(wheel->start, key)) {
        move_back(wheel, key);
    }
    if (slots_ahead(wheel, key) < wheel->slot_count) {
        uint32_t slot = slot_of(wheel, key);

        node->spare[IS_LATE] = false;
        (void)hrli_slot_ring_insert(&wheel->slots[slot], node);
        hrli_slot_map_set(&wheel->occupied, slot);
    } else {
        insert_late(wheel, node);
    }
    if (is_first) {
        wheel->first = node;
    }
    return is_first;
}

/* The first of the wheel and of `late`; equal keys have waited longer in `late`. */
static inline struct hrli_queue_node *find_first(struct hrli_timing_wheel *wheel)
{
    struct hrli_queue_node *late = hrli_sorted_list_first(&wheel->late);
    struct hrli_queue_node *near;

    if (wheel_is_empty(wheel)) {
        return late;
    }
    near = wheel->slots[hrli_slot_map_next(&wheel->occupied, slot_of(wheel, wheel->start))];
    return late == NULL || hrli_stamp_after(late->key, near->key) ? near : late;
}

static inline void take_out(struct hrli_timing_wheel *wheel, struct hrli_queue_node *node)
{
    if (node->spare[IS_LATE]) {
        hrli_sorted_list_remove(&wheel->late, node);
    } else {
        uint32_t slot = slot_of(wheel, node->key);

        if (hrli_slot_ring_remove(&wheel->slots[slot], node) == NULL) {
            hrli_slot_map_clear(&wheel->occupied, slot);
        }
    }
}

void hrli_timing_wheel_pop(struct hrli_timing_wheel *wheel, struct hrli_queue_node *first)
{
    take_out(wheel, first);
    if (slots_ahead(wheel, first->key) < wheel->slot_count) { /* if not, it was before the window */
        wheel->start = slot_start(wheel, first->key);
    }
    wheel->first = find_first(wheel);
}

void hrli_timing_wheel_remove(struct hrli_timing_wheel *wheel, struct hrli_queue_node *node)
{
    take_out(wheel, node);
    if (node == wheel->first) {
        wheel->first = find_first(wheel);
    }
}
