/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_STORE_H
#define HRLI_STORE_H

#include "cooperative.h"
#include "one_shot.h"
#include "periodic.h"
#include "queue_calls.h"
#include "releaser.h"

/*
 * A store becomes code: functions that begin with its name, by which the macros of cell_releaser.h
 * call them. At file scope, without a semicolon, once for each store that a file's releasers have:
 *
 *     HRLI_QUEUE_STORE(sorted_list)    a delay queue of kernel/queue/
 *     HRLI_STATIC_STORE(mask_table)    a store of kernel/release/
 *
 * Then, for each releaser, what holds its tasks while they wait, store_<i>: HRLI_QUEUE, or the data
 * of a static store (static_stores.h). A file uses some of these functions; the compiler removes
 * the others.
 */

/* The struct hrli_store `name` of a delay queue, with nodes that `release_call` releases. */
#define HRLI_QUEUE_STORE_OF(name, queue, release_call)                                             \
    HRLI_ASSEMBLED void name##_release_due(struct hrli_releaser *releaser, void *kept,             \
                                           hrl_stamp instant);                                     \
    static const struct hrli_store name __attribute__((unused)) = {                                \
        .insert = queue##_insert,                                                                  \
        .put = queue##_put,                                                                        \
        .first = queue##_first,                                                                    \
        .pop = queue##_pop,                                                                        \
        .remove = queue##_remove,                                                                  \
        .release = release_call,                                                                   \
        .due = queue##_due,                                                                        \
        .release_due = name##_release_due,                                                         \
    };                                                                                             \
    HRLI_ASSEMBLED void name##_release_due(struct hrli_releaser *releaser, void *kept,             \
                                           hrl_stamp instant)                                      \
    {                                                                                              \
        hrli_releaser_release_due(releaser, kept, &name, instant);                                 \
    }

/* A delay queue as the store of tasks. */
#define HRLI_QUEUE_STORE(queue)                                                                    \
    HRLI_QUEUE_CALLS(queue)                                                                        \
    HRLI_ASSEMBLED const hrl_stamp *queue##_due(void *kept)                                        \
    {                                                                                              \
        const struct hrli_queue_node *first = queue##_first(kept);                                 \
                                                                                                   \
        return first == NULL ? NULL : &first->key;                                                 \
    }                                                                                              \
    HRLI_QUEUE_STORE_OF(queue##_store, queue, hrli_releaser_release)

/*
 * A store that takes a waiting task in constant time, by HRLI_PUT_<store>; no thread keeps it in use, so
 * its releasers' interrupts serve it at once. `due_call` and `one_shot_call` find and release the
 * due tasks of a one-shot cell; NULL for stores of periodic cells only, which release by
 * `periodic_call`.
 */
#define HRLI_STATIC_STORE(store) HRLI_STATIC_STORE_##store(store)
#define HRLI_PUT_STORE(store, periodic_call, due_call, one_shot_call)                              \
    static const struct hrli_store store##_periodic_store                                          \
        __attribute__((unused)) = {.release_due = periodic_call};                                  \
    static const struct hrli_store store##_store                                                   \
        __attribute__((unused)) = {.due = due_call, .release_due = one_shot_call};

/*
 * What a mode does with store number `i`, `store`, of either kind. The calls are the same whatever
 * the store: constants say which it is.
 */
#define HRLI_KEPT(i) ((void *)&store_##i) /* const where the store is never written */
#define HRLI_ENROL_QUEUE(i, store)                                                                 \
    (void)releaser;                                                                                \
    (void)hrli_##store##_insert(&store_##i, &waiter->node)
#define HRLI_ENROL_STATIC(i, store) HRLI_PUT_##store(releaser, HRLI_KEPT(i), waiter)

#define HRLI_PERIODIC_STORE_QUEUE(store) store##_store
#define HRLI_PERIODIC_STORE_STATIC(store) store##_periodic_store

#define HRLI_PERIODIC_ENQUEUE_QUEUE(i, store)                                                      \
    hrli_periodic_enqueue((struct hrli_periodic *)releaser, waiter, from, span, &store_##i,        \
                          &store##_store)
#define HRLI_PERIODIC_ENQUEUE_STATIC(i, store)                                                     \
    hrli_releaser_enqueue_at_once(releaser, waiter, from, span, HRLI_KEPT(i), HRLI_PUT_##store)

#if HRLP_CPU_IS_NARROW /* as the others have no such function */
#define HRLI_ONE_SHOT_ENQUEUE_QUEUE(i, store)                                                      \
    hrli_one_shot_enqueue_narrow(releaser, waiter, from, span, &store_##i, &store##_store,         \
                                 &set_cell_##i, settle_##i, settle_slowly_##i)
#else
#define HRLI_ONE_SHOT_ENQUEUE_QUEUE(i, store)                                                      \
    hrli_one_shot_enqueue((struct hrli_one_shot *)releaser, waiter, from, span, &store_##i,        \
                          &store##_store, &set_cell_##i)
#endif
#define HRLI_ONE_SHOT_ENQUEUE_STATIC HRLI_PERIODIC_ENQUEUE_STATIC

#define HRLI_COOPERATIVE_ENQUEUE_QUEUE(i, store)                                                   \
    hrli_cooperative_enqueue(&parts_##i, waiter, from, span)
#define HRLI_COOPERATIVE_ENQUEUE_STATIC HRLI_PERIODIC_ENQUEUE_STATIC

#define HRLI_PERIODIC_INTERRUPT_QUEUE hrli_periodic_interrupt
#define HRLI_PERIODIC_INTERRUPT_STATIC hrli_periodic_serve
#define HRLI_PERIODIC_DEFERS_QUEUE(i) hrl_gen_releaser_##i.base.busy
#define HRLI_PERIODIC_DEFERS_STATIC(i) false
#define HRLI_ONE_SHOT_INTERRUPT_QUEUE hrli_one_shot_interrupt
#define HRLI_ONE_SHOT_INTERRUPT_STATIC hrli_one_shot_serve

/* The unsorted list `name`, made empty by <name>_init. */
#define HRLI_UNSORTED_LIST(name)                                                                   \
    static struct hrli_unsorted_list name;                                                         \
    HRLI_ASSEMBLED_INLINE void name##_init(void)                                                   \
    {                                                                                              \
        hrli_unsorted_list_init(&name);                                                            \
    }

#endif
