/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_COOPERATIVE_H
#define HRLI_COOPERATIVE_H

#include "one_shot.h"
#include "periodic.h"

/*
 * Mode: one-shot, beside periodic cells with interrupts that serve this store, too. The cell is
 * armed for instants only that come before the next interrupt of each of them: an instant that a
 * periodic cell serves anyway costs no interrupt of its own.
 *
 * Whenever a periodic cell has interrupted, either the cell is armed for the store's first instant
 * or the next periodic interrupt comes no later than that.
 */
struct hrli_cooperative {
    struct hrli_one_shot one_shot; /* first: its base is the releaser */
    bool is_armed;                 /* for the first instant, or a hop towards it */
};

/* Its periodic partners, and the store; a constant known at compile time costs nothing. */
struct hrli_cooperative_parts {
    struct hrli_cooperative *releaser;
    void *queue;
    const struct hrli_store *store;
    struct hrli_periodic *const *partners;
    uint32_t partner_count;
    const struct hrli_one_shot_cell *cell; /* as all but its own handler arm it */
};

/* Whether a partner interrupts no later than `instant`, which it then serves. */
static inline __attribute__((always_inline)) bool
hrli_cooperative_is_served(const struct hrli_cooperative_parts *parts, hrl_stamp instant)
{
    for (uint32_t i = 0; i < parts->partner_count; i++) {
        if (!hrli_stamp_branch_after(parts->partners[i]->base.next, instant)) {
            return true;
        }
    }
    return false;
}

/*
 * Arms the cell if no partner comes first. Context: the store's owner, or interrupts masked.
 */
static inline __attribute__((always_inline)) void
hrli_cooperative_arm(const struct hrli_cooperative_parts *parts,
                     const struct hrli_one_shot_cell *cell)
{
    struct hrli_releaser *base = &parts->releaser->one_shot.base;
    const hrl_stamp *due = parts->store->due(parts->queue);
    hrlp_irq_state state;

    parts->releaser->is_armed = false;
    if (due == NULL) {
        return;
    }
    base->next = *due;
    if (hrli_cooperative_is_served(parts, *due)) {
        return;
    }
    base->next = hrli_releaser_hop(*due, cell->span);
    parts->releaser->is_armed = true;
    state = HRLP_IRQ_NESTS ? hrlp_irq_lock() : HRLP_IRQ_UNLOCKED; /* the caller may have locked */
    cell->arm(base->next);
    if (HRLP_IRQ_NESTS) {
        hrlp_irq_unlock(state);
    }
}

/* hrli_releaser_calls.serve for this mode: as hrli_one_shot_serve. */
static inline __attribute__((always_inline)) void
hrli_cooperative_serve_and_arm(const struct hrli_cooperative_parts *parts,
                               const struct hrli_one_shot_cell *cell)
{
    struct hrli_releaser *base = &parts->releaser->one_shot.base;
    hrl_stamp now = hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS;
    const hrl_stamp *due;

    while ((due = parts->store->due(parts->queue)) != NULL && !hrli_stamp_branch_after(*due, now)) {
        hrl_stamp instant = *due;
        hrli_releaser_mark_served(base, instant);
        parts->store->release_due(base, parts->queue, instant);
    }
    hrli_cooperative_arm(parts, cell);
}

static inline __attribute__((always_inline)) void
hrli_cooperative_serve(const struct hrli_cooperative_parts *parts)
{
    hrli_cooperative_serve_and_arm(parts, parts->cell);
}

/* The cell's interrupt, acknowledged. Context: its handler. */
static inline __attribute__((always_inline)) void
hrli_cooperative_interrupt(const struct hrli_cooperative_parts *parts,
                           const struct hrli_one_shot_cell *cell)
{
    if (parts->releaser->one_shot.base.busy) {
        parts->releaser->one_shot.base.deferred = true;
        return;
    }
    hrli_cooperative_serve_and_arm(parts, cell);
}

/*
 * To be called after `partner` has served its own tasks: the instants that it has served are in the
 * past, so the clock is read only if a task is due. Context: the store's owner.
 */
static inline __attribute__((always_inline)) void
hrli_cooperative_serve_after(const struct hrli_cooperative_parts *parts,
                             const struct hrli_periodic *partner)
{
    const hrl_stamp *due = parts->store->due(parts->queue);

    if (due == NULL) {
        return;
    }
    if (!hrli_stamp_branch_after(*due, partner->base.served)) {
        hrli_cooperative_serve(parts);
    } else if (!parts->releaser->is_armed) {
        hrli_cooperative_arm(parts, parts->cell);
    }
}

/* Serves after `partner`, in the handler of its cell, which no other cell's handler interrupts. */
static inline __attribute__((always_inline)) void
hrli_cooperative_visit(const struct hrli_cooperative_parts *parts,
                       const struct hrli_periodic *partner)
{
    if (parts->releaser->one_shot.base.busy) {
        parts->releaser->one_shot.base.deferred = true;
        return;
    }
    hrli_cooperative_serve_after(parts, partner);
}

/*
 * Serves after `partner`, in its hrli_releaser_calls.serve: a partner that was deferred, while a
 * thread used its store, had not served what its `next` promises. Context: as that; no thread
 * uses this store.
 */
static inline __attribute__((always_inline)) void
hrli_cooperative_visit_late(const struct hrli_cooperative_parts *parts,
                            const struct hrli_periodic *partner)
{
    struct hrli_releaser *base = &parts->releaser->one_shot.base;

    hrli_releaser_begin_use(base);
    hrli_cooperative_serve_after(parts, partner);
    hrli_releaser_leave(base);
}

/* hrli_releaser_calls.enqueue for this mode over a delay queue: as hrli_one_shot_enqueue. */
static inline __attribute__((always_inline)) bool
hrli_cooperative_enqueue(const struct hrli_cooperative_parts *parts, struct hrli_waiter *waiter,
                         hrl_stamp from, uint32_t span)
{
    struct hrli_releaser *base = &parts->releaser->one_shot.base;
    bool is_first;

    hrli_releaser_begin_use(base);
    if (!hrli_one_shot_is_to_come(base, waiter, from, span)) {
        hrli_releaser_leave(base);
        return false;
    }
    hrli_releaser_unready(base->ready, waiter);
    is_first = parts->store->put(parts->queue, &waiter->node, from + span);
    hrli_releaser_end_use(base);
    if (base->deferred) {
        hrli_releaser_catch_up(base);
    } else if (is_first) {
        hrlp_irq_state state = hrlp_irq_lock();
        hrli_cooperative_arm(parts, parts->cell);
        hrlp_irq_unlock(state);
    }
    return true;
}

/*
 * hrli_releaser_calls.start for this mode. `served` is an instant before the first; the partners
 * know their first instants.
 */
static inline __attribute__((always_inline)) void
hrli_cooperative_start(const struct hrli_cooperative_parts *parts)
{
    hrli_cooperative_arm(parts, parts->cell);
    hrli_one_shot_note_first(&parts->releaser->one_shot.base, parts->queue, parts->store);
}

#endif
