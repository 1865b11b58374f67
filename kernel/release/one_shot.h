/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ONE_SHOT_H
#define HRLI_ONE_SHOT_H

#include "hrlp_clock.h"
#include "releaser.h"
#include "stamp.h"

/*
 * Mode: the cell is armed for the first instant in the store, and for no other.
 *
 * Source: the single-shot alarm of Periodic Timers Revisited. An instant further ahead than `span`
 * is reached in hops of `span`, so that a narrow cell serves long periods.
 */
struct hrli_one_shot {
    struct hrli_releaser base;
};

/* A one-shot cell where registers are few (one_shot_narrow.h). A constant known at compile time costs nothing. */
struct hrli_one_shot_aim {
    struct hrli_releaser *releaser;
    void (*arm_near)(uint16_t now, uint16_t left); /* of the cell's driver (hrlp_cell.h) */
    void (*aim)(hrl_stamp due);                    /* hrli_one_shot_aim, as a function */
    void (*aim_far)(hrl_stamp due);                /* hrli_one_shot_aim_far, as a function */
    uint16_t span;                                 /* counts, as hrli_one_shot_cell's */
};

/*
 * The cell, as a thread has it or as its own handler has it: there nothing is to be forgotten, so that
 * `arm` may be the driver's rearm (hrlp_cell.h). A constant known at compile time costs nothing.
 */
struct hrli_one_shot_cell {
    void (*arm)(hrl_stamp due);
    void (*disarm)(void);
    uint32_t span;                       /* counts, at most half of what the cell can time */
    struct hrli_ready_queue *ready;      /* the releaser's */
    const struct hrli_one_shot_aim *aim; /* where the processor is narrow; else NULL */
};

/*
 * Arms the cell for `due`, or a hop towards it; NULL: for nothing. Context: the store's owner, or
 * interrupts masked; in either case those that the lock masks.
 */
static inline __attribute__((always_inline)) void
hrli_one_shot_arm(struct hrli_one_shot *releaser, const hrl_stamp *due,
                  const struct hrli_one_shot_cell *cell)
{
    if (HRLP_CPU_IS_NARROW && due != NULL) {
        cell->aim->aim(*due); /* notes what the cell is armed for, too */
    } else if (due != NULL) {
        hrl_stamp next = hrli_releaser_hop(*due, cell->span);

        cell->arm(next);
        atomic_signal_fence(
            memory_order_seq_cst);            /* nothing comes between the driver's instructions */
        if (cell->span < (uint32_t)1 << 31) { /* else there are no hops to be noted */
            releaser->base.next = next;
        }
    } else {
        cell->disarm();
    }
}

/* A hop on which no task was due has been served, if that is what the cell was armed for. */
static inline __attribute__((always_inline)) void
hrli_one_shot_mark_hop(struct hrli_releaser *base, hrl_stamp now, uint32_t span)
{
    if (span < (uint32_t)1 << 31 && /* as in hrli_one_shot_arm */
        hrli_stamp_branch_after(base->next, base->served) &&
        !hrli_stamp_branch_after(base->next, now)) {
        hrli_releaser_mark_served(base, base->next);
    }
}

/*
 * Releases the waiters of a delay queue that are due by `now`. Returns the first instant to come, or
 * NULL, and the lock taken: the last release and the arming are one section, of constant length.
 * `span`: the cell's. `is_rest`: of the first instant some may have been released before.
 */
static inline __attribute__((always_inline)) const hrl_stamp *
hrli_one_shot_release_queue(struct hrli_releaser *base, void *queue, const struct hrli_store *store,
                            hrl_stamp now, uint32_t span, bool is_rest)
{
    struct hrli_queue_node *first = store->first(queue);
    hrl_stamp instant;

    if (first == NULL || hrli_stamp_branch_after(first->key, now)) {
        hrli_one_shot_mark_hop(base, now, span);
        hrli_releaser_lock();
        return first == NULL ? NULL : &first->key;
    }
    instant = first->key;
    if (!is_rest || instant != base->served) {
        hrli_releaser_mark_served(base, instant);
    }
    for (;;) {
        struct hrli_waiter *waiter = (struct hrli_waiter *)first;

        store->pop(queue, first);
        hrli_releaser_note_release(waiter, instant);
        hrli_releaser_lock();
        hrli_ready_add(base->ready, hrli_waiter_ready(waiter));
        first = store->first(queue);
        if (first == NULL) {
            return NULL;
        }
        if (hrli_stamp_branch_after(first->key, now)) {
            return &first->key;
        }
        hrli_releaser_unlock();
        if (first->key != instant) {
            instant = first->key;
            hrli_releaser_mark_served(base, instant);
        }
    }
}

/*
 * hrli_one_shot_serve of a delay queue where registers are few (HRLP_CPU_IS_NARROW): it reads the clock once an
 * instant, and arms the cell by what is left then. Interrupts are masked in handlers there.
 */
static inline __attribute__((always_inline)) void
hrli_one_shot_serve_narrow(struct hrli_releaser *base, void *queue, const struct hrli_store *store,
                           const struct hrli_one_shot_cell *cell)
{
    struct hrli_queue_node *first = store->first(queue);
    hrl_stamp instant, left;

    if (first == NULL || hrli_stamp_branch_after(first->key, hrlp_clock_read_masked())) {
        hrli_one_shot_mark_hop(base, hrlp_clock_read_masked(), cell->span);
        if (first == NULL) {
            cell->disarm();
        } else {
            cell->aim->aim(first->key);
        }
        return;
    }
    do {
        instant = first->key;
        hrli_releaser_mark_served(base, instant);
        do {
            struct hrli_waiter *waiter = (struct hrli_waiter *)first;

            store->pop(queue, first);
            hrli_releaser_note_release(waiter, instant);
            hrli_ready_add(cell->ready, hrli_waiter_ready(waiter));
            first = store->first(queue);
            if (first == NULL) {
                cell->disarm();
                return;
            }
        } while (first->key == instant);
        left = first->key - hrlp_clock_read_masked();
    } while ((int32_t)left <= 0);
    base->next = first->key;
    atomic_signal_fence(
        memory_order_seq_cst); /* and read again below, as there are few registers */
    if (__builtin_expect(left > cell->aim->span, 0)) {
        cell->aim->aim_far(base->next);
    } else {
        cell->aim->arm_near(0, hrlp_cpu_load_low(&base->next));
    }
}

/* hrli_one_shot_release for static stores, which have no `first`. */
static inline __attribute__((always_inline)) const hrl_stamp *
hrli_one_shot_release_static(struct hrli_releaser *base, void *kept, const struct hrli_store *store,
                             hrl_stamp now, uint32_t span)
{
    const hrl_stamp *due;

    while ((due = store->due(kept)) != NULL && !hrli_stamp_branch_after(*due, now)) {
        hrl_stamp instant = *due;
        hrli_releaser_mark_served(base, instant);
        store->release_due(base, kept, instant);
    }
    hrli_one_shot_mark_hop(base, now, span);
    hrli_releaser_lock();
    return due;
}

/*
 * Serves every instant that has passed and arms for the next. An instant that passes while this
 * runs is served by the interrupt that arming in the past raises. It asks the store which task is
 * due, not the cell: an interrupt may have been on its way when the cell was armed anew, and the
 * thread that it was deferred for may have brought an earlier one. What is armed is never after the
 * store's first instant: a hop is to be noted only where nothing was due. `is_rest` as in
 * hrli_one_shot_release_queue. Context: as the store's owner.
 */
static inline __attribute__((always_inline)) void
hrli_one_shot_serve_from(struct hrli_one_shot *releaser, void *queue,
                         const struct hrli_store *store, const struct hrli_one_shot_cell *cell,
                         bool is_rest)
{
    hrl_stamp now;
    const hrl_stamp *due;

    if (HRLP_CPU_IS_NARROW && store->first != NULL && !is_rest) {
        hrli_one_shot_serve_narrow(&releaser->base, queue, store, cell);
        return;
    }
    now = hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS;
    due = store->first != NULL
              ? hrli_one_shot_release_queue(&releaser->base, queue, store, now, cell->span, is_rest)
              : hrli_one_shot_release_static(&releaser->base, queue, store, now, cell->span);

    hrli_one_shot_arm(releaser, due, cell);
    hrli_releaser_unlock();
}

/* hrli_one_shot_serve_from of a handler that has released nothing yet. */
static inline __attribute__((always_inline)) void
hrli_one_shot_serve(struct hrli_one_shot *releaser, void *queue, const struct hrli_store *store,
                    const struct hrli_one_shot_cell *cell)
{
    hrli_one_shot_serve_from(releaser, queue, store, cell, false);
}

/* The cell's interrupt, acknowledged. Context: its handler. */
static inline __attribute__((always_inline)) void
hrli_one_shot_interrupt(struct hrli_one_shot *releaser, void *queue, const struct hrli_store *store,
                        const struct hrli_one_shot_cell *cell)
{
    if (releaser->base.busy) {
        releaser->base.deferred = true;
        return;
    }
    hrli_one_shot_serve(releaser, queue, store, cell);
}

/* hrli_one_shot_interrupt after a handler that may have released a thread (kernel/thread/one_shot_thread.h). */
static inline __attribute__((always_inline)) void
hrli_one_shot_interrupt_rest(struct hrli_one_shot *releaser, void *queue,
                             const struct hrli_store *store, const struct hrli_one_shot_cell *cell)
{
    if (releaser->base.busy) {
        releaser->base.deferred = true;
        return;
    }
    hrli_one_shot_serve_from(releaser, queue, store, cell, true);
}

/*
 * Whether the key lies ahead, for enqueue. An instant that passed while its only task was running has
 * not been served, so the clock is read; but not the clock alone, as an instant may be served a
 * little early: where it is as near as that, what was served last is asked, too. Spans are longer than
 * that (kernel/thread/thread.c). The instant served last may be long ago.
 */
static inline __attribute__((always_inline)) bool
hrli_one_shot_is_to_come(const struct hrli_releaser *releaser, const struct hrli_waiter *waiter,
                         hrl_stamp from, uint32_t span)
{
    uint32_t passed = hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS - from;

    return __builtin_expect(passed < span, 1) ||
           (passed <= span + HRLP_CELL_EARLY_COUNTS &&
            releaser->served - waiter->node.key > HRLP_CELL_EARLY_COUNTS);
}

/* hrli_releaser_calls.enqueue for this mode. */
static inline __attribute__((always_inline)) bool
hrli_one_shot_enqueue(struct hrli_one_shot *releaser, struct hrli_waiter *waiter, hrl_stamp from,
                      uint32_t span, void *queue, const struct hrli_store *store,
                      const struct hrli_one_shot_cell *cell)
{
    struct hrli_releaser *base = &releaser->base;
    bool is_first;

    hrli_releaser_begin_use(base);
    if (!hrli_one_shot_is_to_come(base, waiter, from, span)) {
        hrli_releaser_leave(base);
        return false;
    }
    hrli_releaser_unready(cell->ready, waiter);
    is_first = store->put(queue, &waiter->node, from + span);
    hrli_releaser_end_use(base);
    if (__builtin_expect(base->deferred, 0)) {
        hrli_releaser_catch_up(base);
    } else if (__builtin_expect(is_first, 0)) {
        const hrl_stamp *due;

        hrlp_irq_mask();
        due = store->due(queue);
        if (due != NULL) { /* else the cell's interrupt came just now, and has served it */
            hrli_one_shot_arm(releaser, due, cell);
        }
        hrlp_irq_unmask();
    }
    return true;
}

/*
 * `next` of a releaser that was started just now: its first release, also where the cell is armed for
 * a hop towards it. The start-up looks whether that has passed (hrli_enrolment.start); a hop that
 * passes before that does no harm.
 */
static inline __attribute__((always_inline)) void
hrli_one_shot_note_first(struct hrli_releaser *base, void *queue, const struct hrli_store *store)
{
    const hrl_stamp *first = store->due(queue);

    if (first != NULL) {
        base->next = *first;
    }
}

/* hrli_releaser_calls.start for this mode. `served` is an instant before the first. */
static inline __attribute__((always_inline)) void
hrli_one_shot_start(struct hrli_one_shot *releaser, void *queue, const struct hrli_store *store,
                    const struct hrli_one_shot_cell *cell)
{
    hrli_one_shot_arm(releaser, store->due(queue), cell);
    hrli_one_shot_note_first(&releaser->base, queue, store);
}

#endif
