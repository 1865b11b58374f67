/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hierarchical_wheel.h"
#include "hrlp_cpu.h"
#include "slot_ring.h"
#include "stamp.h"

enum { DIGIT_BITS = 5, DIGITS = 32 };
enum { SLOT = 0 }; /* in hrli_queue_node.spare: which of `slots` the node is in */

void hrli_hierarchical_wheel_init(struct hrli_hierarchical_wheel *wheel, uint32_t width_bits,
                                  struct hrli_queue_node **slots, size_t slot_count)
{
    wheel->first = NULL;
    wheel->slots = slots;
    wheel->base = 0;
    wheel->width_bits = width_bits;
    wheel->levels = 0;
    wheel->top = (uint32_t)slot_count / DIGITS - 1;
    for (uint32_t level = 0; level <= wheel->top; level++) {
        wheel->occupied[level] = 0;
    }
    for (size_t i = 0; i < slot_count; i++) {
        slots[i] = NULL;
    }
}

/* Puts `node` into the slot that its key has relative to the base. */
static inline void place(struct hrli_hierarchical_wheel *wheel, struct hrli_queue_node *node)
{
    uint32_t digits = node->key >> wheel->width_bits;
    uint32_t different = digits ^ (wheel->base >> wheel->width_bits);
    uint32_t level = hrlp_cpu_highest_bit(different | 1u) / DIGIT_BITS;
    uint32_t digit = (digits >> (DIGIT_BITS * level)) % DIGITS;
    uint32_t slot = DIGITS * level + digit;

    node->spare[SLOT] = slot;
    (void)hrli_slot_ring_insert(&wheel->slots[slot], node);
    wheel->occupied[level] |= 0x80000000u >> digit;
    wheel->levels |= (uint32_t)1 << level;
}

/* Takes `node` out of its slot; returns the slot's first now, or NULL. */
static inline struct hrli_queue_node *take_out(struct hrli_hierarchical_wheel *wheel,
                                               struct hrli_queue_node *node)
{
    uint32_t slot = (uint32_t)node->spare[SLOT];
    struct hrli_queue_node *rest = hrli_slot_ring_remove(&wheel->slots[slot], node);

    if (rest == NULL) {
        uint32_t level = slot / DIGITS;

        wheel->occupied[level] &= ~(0x80000000u >> (slot % DIGITS));
        if (wheel->occupied[level] == 0) {
            wheel->levels &= ~((uint32_t)1 << level);
        }
    }
    return rest;
}

/* The first node of the highest level, where slots go round: no node is before `from`. */
static inline struct hrli_queue_node *first_of_top(const struct hrli_hierarchical_wheel *wheel,
                                                   hrl_stamp from)
{
    uint32_t digit = from >> wheel->width_bits >> (DIGIT_BITS * wheel->top);
    uint32_t bits = wheel->occupied[wheel->top];
    uint32_t turned = bits << digit | bits >> ((DIGITS - digit) % DIGITS);
    uint32_t slot = (31u - hrlp_cpu_highest_bit(turned) + digit) % DIGITS;

    return wheel->slots[DIGITS * wheel->top + slot];
}

/* The first of all levels; of equal keys the one in the highest. No node is before `from`. */
static struct hrli_queue_node *find_first(const struct hrli_hierarchical_wheel *wheel,
                                          hrl_stamp from)
{
    struct hrli_queue_node *best = NULL;
    uint32_t levels = wheel->levels;

    if (levels >> wheel->top) {
        best = first_of_top(wheel, from);
        levels &= ~((uint32_t)1 << wheel->top);
    }
    while (levels != 0) {
        uint32_t level = hrlp_cpu_highest_bit(levels);
        uint32_t digit = 31u - hrlp_cpu_highest_bit(wheel->occupied[level]);
        struct hrli_queue_node *node = wheel->slots[DIGITS * level + digit];

        levels ^= (uint32_t)1 << level;
        if (best == NULL || hrli_stamp_after(best->key, node->key)) {
            best = node;
        }
    }
    return best;
}

/* Places all nodes anew, relative to `base`, which is before them all. */
static void set_base(struct hrli_hierarchical_wheel *wheel, hrl_stamp base)
{
    struct hrli_queue_node *all = wheel->first; /* chained by `next`, in order */
    struct hrli_queue_node **end = &all;

    while (wheel->first != NULL) {
        struct hrli_queue_node *node = wheel->first;

        hrli_hierarchical_wheel_pop(wheel, node);
        *end = node;
        node->next = NULL;
        end = &node->next;
    }
    wheel->base = base;
    while (all != NULL) {
        struct hrli_queue_node *node = all;

        all = all->next;
        place(wheel, node);
    }
}

bool hrli_hierarchical_wheel_insert(struct hrli_hierarchical_wheel *wheel,
                                    struct hrli_queue_node *node)
{
    struct hrli_queue_node *first = wheel->first;
    hrl_stamp key = node->key;
    bool is_first = true;

    if (first == NULL) {
        wheel->base = key;
    } else {
        is_first = hrli_stamp_after(first->key, key);
        if (hrli_stamp_after(first->key, wheel->base)) {
            wheel->base = first->key;
        } else if (is_first && wheel->base - key > INT32_MAX) {
            set_base(wheel, key); /* too far from the base for the two to be compared */
        }
    }
    place(wheel, node);
    if (is_first) {
        wheel->first = node;
    }
    return is_first;
}

void hrli_hierarchical_wheel_pop(struct hrli_hierarchical_wheel *wheel,
                                 struct hrli_queue_node *first)
{
    struct hrli_queue_node *rest = take_out(wheel, first);

    if (rest != NULL && rest->key == first->key) {
        wheel->first = rest; /* an older one elsewhere would have been the first */
    } else {
        wheel->first = find_first(wheel, first->key);
    }
}

void hrli_hierarchical_wheel_remove(struct hrli_hierarchical_wheel *wheel,
                                    struct hrli_queue_node *node)
{
    if (node == wheel->first) {
        hrli_hierarchical_wheel_pop(wheel, node);
    } else {
        (void)take_out(wheel, node);
    }
}
