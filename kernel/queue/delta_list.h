/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DELTA_LIST_H
#define HRLI_DELTA_LIST_H

#include "queue_node.h"
#include "stamp.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a sorted doubly linked list in which each node keeps its distance from the one
 * before.
 *
 * The contract is README.md's. Costs: insert O(n), from the head; everything else O(1). Source: the
 * relative request queue of Periodic Timers Revisited, section III, and Zephyr's time-out list.
 *
 * There, the head's distance is from the last interrupt, which counts it down; here the first's key
 * is the origin, so that time need not be counted and a key may lie in the past. A distance is
 * unsigned and below 2^31, so that the walk compares plain numbers and the wrap concerns the first
 * subtraction only.
 *
 * The list is a ring through `head`; the key and distance of `head` are scratch.
 */
struct hrli_delta_list {
    struct hrli_queue_node head;
};

/*
 * The spare word in use: counts after the node before; of no meaning in the first.
 */
enum { HRLI_DELTA_LIST_DELTA };

/* Makes the list empty. */
static inline void hrli_delta_list_init(struct hrli_delta_list *list)
{
    list->head.next = &list->head;
    list->head.previous = &list->head;
}

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_delta_list_first(struct hrli_delta_list *list)
{
    struct hrli_queue_node *first = list->head.next;

    if (first == NULL) {
        __builtin_unreachable(); /* a ring: callers need not test the result twice */
    }
    return first == &list->head ? NULL : first;
}

/* Takes out the first; the distance of the next, now the first, no longer means anything. */
static inline void hrli_delta_list_pop(struct hrli_delta_list *list, struct hrli_queue_node *first)
{
    struct hrli_queue_node *next = first->next;

    list->head.next = next;
    next->previous = &list->head;
}

/* Takes `node`, which must be in a list, out of it; the node behind takes over its distance. */
static inline void hrli_delta_list_remove(struct hrli_delta_list *list,
                                          struct hrli_queue_node *node)
{
    struct hrli_queue_node *next = node->next;

    (void)list;
    next->spare[HRLI_DELTA_LIST_DELTA] += node->spare[HRLI_DELTA_LIST_DELTA];
    next->previous = node->previous;
    node->previous->next = next;
}

/*
 * Puts `node`, which has its key set, behind all nodes that are not later. Interrupts may stay on:
 * the caller makes sure that nothing else touches the list during the call. Returns whether it is
 * now the first.
 */
bool hrli_delta_list_insert(struct hrli_delta_list *list, struct hrli_queue_node *node);

/* Links `node` in before `after`. */
static inline __attribute__((always_inline)) void
hrli_delta_list_link_before(struct hrli_queue_node *node, struct hrli_queue_node *after)
{
    struct hrli_queue_node *before = after->previous;

    node->next = after;
    node->previous = before;
    before->next = node;
    after->previous = node;
}

/* A shortcut (README.md): hrli_delta_list_insert of `node` with the key `key`, as a part of the caller. */
static inline __attribute__((always_inline)) bool
hrli_delta_list_put(struct hrli_delta_list *list, struct hrli_queue_node *node, hrl_stamp key)
{
    struct hrli_queue_node *after = list->head.next;
    hrl_stamp rest; /* how far the node lies behind what the walk has passed */

    list->head.key = hrli_stamp_horizon(key); /* an empty list's first is later than anything */
    if (hrli_stamp_after(after->key, key)) {
        after->spare[HRLI_DELTA_LIST_DELTA] = after->key - key;
        hrli_delta_list_link_before(node, after);
        return true;
    }
    rest = key - after->key;
    list->head.spare[HRLI_DELTA_LIST_DELTA] =
        UINT32_MAX; /* ends every walk, so the walk need not look for it */
    after = after->next;
    while (after->spare[HRLI_DELTA_LIST_DELTA] <= rest) {
        rest -= (hrl_stamp)after->spare[HRLI_DELTA_LIST_DELTA];
        after = after->next;
    }
    node->spare[HRLI_DELTA_LIST_DELTA] = rest;
    after->spare[HRLI_DELTA_LIST_DELTA] -= rest;
    hrli_delta_list_link_before(node, after);
    return false;
}

/*
 * A shortcut (README.md): gives the first node a key that is `counts` later if it stays the first, before all others;
 * else false.
 */
static inline __attribute__((always_inline)) bool
hrli_delta_list_stay(struct hrli_delta_list *list, struct hrli_queue_node *first, uint32_t counts)
{
    struct hrli_queue_node *second = first->next;

    if (second != &list->head) {
        if (second->spare[HRLI_DELTA_LIST_DELTA] <= counts) {
            return false;
        }
        second->spare[HRLI_DELTA_LIST_DELTA] -= counts;
    }
    first->key += counts;
    return true;
}

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_SPARE_delta_list 1 /* of the node's spare words */
#define HRLI_ARRAYS_delta_list(name, nodes, slots, bits)
#define HRLI_INIT_delta_list(name, nodes, slots, bits) hrli_delta_list_init(&(name))
#define HRLI_SHORT_PUT_delta_list HRLI_SHORT_IS(hrli_delta_list_put)
#define HRLI_SHORT_STAY_delta_list HRLI_SHORT_IS(hrli_delta_list_stay)

#endif
