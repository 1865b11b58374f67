/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SORTED_LIST_H
#define HRLI_SORTED_LIST_H

#include "queue_node.h"
#include "stamp.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a doubly linked list sorted by instant, first come first out among equals.
 *
 * The contract is README.md's. Costs: insert O(n), from the head; everything else O(1). The list is
 * a ring through `head`; the key of `head` is scratch. Source: the structure of FreeRTOS' delayed
 * task list and of CHRONOS, Algorithm 1.
 */
struct hrli_sorted_list {
    struct hrli_queue_node head;
};

/* Makes the list empty. */
static inline void hrli_sorted_list_init(struct hrli_sorted_list *list)
{
    list->head.next = &list->head;
    list->head.previous = &list->head;
}

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_sorted_list_first(struct hrli_sorted_list *list)
{
    struct hrli_queue_node *first = list->head.next;

    if (first == NULL) {
        __builtin_unreachable(); /* a ring: callers need not test the result twice */
    }
    return first == &list->head ? NULL : first;
}

/* Takes `node`, which must be in the list, out of it. */
static inline void hrli_sorted_list_remove(struct hrli_sorted_list *list,
                                           struct hrli_queue_node *node)
{
    (void)list;
    node->previous->next = node->next;
    node->next->previous = node->previous;
}

/* Takes out the first, `first`. What is first now is known to the compiler then. */
static inline void hrli_sorted_list_pop(struct hrli_sorted_list *list,
                                        struct hrli_queue_node *first)
{
    struct hrli_queue_node *next = first->next;

    list->head.next = next;
    next->previous = &list->head;
}

/*
 * Puts `node`, which has its key set, behind all nodes that are not later. Interrupts may stay on:
 * the caller makes sure that nothing else touches the list during the call. Returns whether it is
 * now the first.
 */
bool hrli_sorted_list_insert(struct hrli_sorted_list *list, struct hrli_queue_node *node);

/*
 * hrli_sorted_list_insert of `node` with the key `key`, as a part of the caller. With `from_end`, which the
 * compiler should know or find in a register, it looks from the last node on.
 */
static inline __attribute__((always_inline)) bool
hrli_sorted_list_put_from(struct hrli_sorted_list *list, struct hrli_queue_node *node,
                          hrl_stamp key, bool from_end)
{
    struct hrli_queue_node *after;
    struct hrli_queue_node *before;
    hrl_stamp passed;

    if (from_end) {
        before = list->head.previous;
        list->head.key = key; /* ends the walk */
        while (hrli_stamp_branch_after(before->key, key)) {
            before = before->previous;
        }
        after = before->next;
    } else {
        after = list->head.next;
        list->head.key = key ^ (hrl_stamp)1 << 31; /* ends every walk: as far ahead as can be */
        do { /* one load a node: its key, and where the next one is */
            passed = after->key;
            after = after->next;
        } while (!hrli_stamp_branch_after(passed, key));
        after = after->previous;
        before = after->previous;
    }
    node->next = after;
    node->previous = before;
    after->previous = node;
    before->next = node;
    return before == &list->head;
}

/*
 * Where the walk to the place of `node` begins, by its first spare word: 0, or no such word, from the head. The word is
 * 0 or 1, so a part of it tells.
 */
static inline __attribute__((always_inline)) bool
hrli_sorted_list_is_from_end(const struct hrli_queue_node *node)
{
#if HRL_QUEUE_SPARE_WORDS != 0 /* as there may be none */
    return HRLP_CPU_IS_NARROW ? (uint8_t)node->spare[0] != 0 : node->spare[0] != 0;
#else
    (void)node;
    return false;
#endif
}

/*
 * A shortcut (README.md): hrli_sorted_list_insert, as a part of the caller. The node's first spare word says
 * where it looks from: 0, from the head; else from the last node on.
 */
static inline __attribute__((always_inline)) bool
hrli_sorted_list_put(struct hrli_sorted_list *list, struct hrli_queue_node *node, hrl_stamp key)
{
    return hrli_sorted_list_put_from(list, node, key, hrli_sorted_list_is_from_end(node));
}

/*
 * A shortcut (README.md): gives the first node, `first`, the key `key`, not before its own, and moves it
 * behind all nodes that are not later. The node's first spare word says where it looks from: 0, from the
 * head; else from the last node on. Context: as the queue's owner; cost: O(n).
 */
static inline __attribute__((always_inline)) void
hrli_sorted_list_put_off(struct hrli_sorted_list *list, struct hrli_queue_node *first,
                         hrl_stamp key)
{
    struct hrli_queue_node *before;
    struct hrli_queue_node *next = first->next;

    first->key = key; /* ends the walk from the end */
    if (hrli_sorted_list_is_from_end(first)) {
        before = list->head.previous;
        while (hrli_stamp_branch_after(before->key, key)) {
            before = before->previous;
        }
    } else {
        struct hrli_queue_node *after = next;

        list->head.key = hrli_stamp_horizon(key); /* ends the walk from the head */
        while (!hrli_stamp_branch_after(after->key, key)) {
            after = after->next;
        }
        before = after->previous;
    }
    if (before == first) {
        return;
    }
    list->head.next = next;
    next->previous = &list->head;
    next = before->next;
    first->next = next;
    first->previous = before;
    before->next = first;
    next->previous = first;
}

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_SPARE_sorted_list 0 /* of the node's spare words, what time-outs need */
#define HRLI_ARRAYS_sorted_list(name, nodes, slots, bits)
#define HRLI_INIT_sorted_list(name, nodes, slots, bits) hrli_sorted_list_init(&(name))
#define HRLI_SHORT_PUT_sorted_list HRLI_SHORT_IS(hrli_sorted_list_put)
#define HRLI_SHORT_PUT_OFF_sorted_list HRLI_SHORT_IS(hrli_sorted_list_put_off)

#endif
