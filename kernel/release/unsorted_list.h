/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_UNSORTED_LIST_H
#define HRLI_UNSORTED_LIST_H

#include "releaser.h"

/*
 * Store: a list in no order. A waiter is put at its end; the due waiters are found by looking at
 * all of them, at instants at which at least one is due.
 *
 * Source: CHRONOS-const (Heider et al., Algorithm 2). Its price is the handler's: n nodes with
 * interrupts masked, so the planner takes it only if it is named.
 */
struct hrli_unsorted_list {
    struct hrli_queue_node head;
    hrl_stamp next_release; /* the first instant in it; anything if it is empty */
};

static inline void hrli_unsorted_list_init(struct hrli_unsorted_list *list)
{
    list->head.next = &list->head;
    list->head.previous = &list->head;
}

/* The `put` for hrli_releaser_enqueue_at_once. Context: as enqueue, interrupts masked. */
static inline void hrli_unsorted_list_put(struct hrli_releaser *releaser, void *store,
                                          struct hrli_waiter *waiter)
{
    struct hrli_unsorted_list *list = store;
    struct hrli_queue_node *node = &waiter->node;
    struct hrli_queue_node *last = list->head.previous;

    (void)releaser;
    if (last == &list->head || hrli_stamp_after(list->next_release, node->key)) {
        list->next_release = node->key;
    }
    node->next = &list->head;
    node->previous = last;
    last->next = node;
    list->head.previous = node;
}

static inline void hrli_unsorted_list_remove(struct hrli_queue_node *node)
{
    node->previous->next = node->next;
    node->next->previous = node->previous;
}

/* hrli_store.release_due. Cost: in proportion to the waiters, if one is due. */
static inline void hrli_unsorted_list_release_due(struct hrli_releaser *releaser, void *store,
                                                  hrl_stamp instant)
{
    struct hrli_unsorted_list *list = store;
    struct hrli_queue_node *node = list->head.next;
    hrl_stamp furthest = ((hrl_stamp)1 << 31) - 1u; /* counts; every waiter is due within so many */

    if (node == &list->head || hrli_stamp_after(list->next_release, instant)) {
        return;
    }
    list->next_release = instant + furthest;
    while (node != &list->head) {
        struct hrli_queue_node *next = node->next;

        if (!hrli_stamp_after(node->key, instant)) {
            hrli_unsorted_list_remove(node);
            hrli_releaser_release(releaser, node, instant);
        } else if (hrli_stamp_after(list->next_release, node->key)) {
            list->next_release = node->key;
        }
        node = next;
    }
}

/* For kernel/assemble/store.h. */
#define HRLI_PUT_unsorted_list hrli_unsorted_list_put
#define HRLI_STATIC_STORE_unsorted_list(store)                                                     \
    HRLI_PUT_STORE(store, hrli_unsorted_list_release_due, NULL, NULL)

#endif
