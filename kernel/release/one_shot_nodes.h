/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ONE_SHOT_NODES_H
#define HRLI_ONE_SHOT_NODES_H

#include "hrlp_clock.h"
#include "releaser.h"
#include "stamp.h"

/*
 * Mode: as one_shot.h, for nodes that threads put in and take out again at any time: time-outs.
 *
 * Here everything runs with interrupts on, the serving too, however many are due: the handler may
 * be of the lowest priority, that of the dispatch, and locks for each release and for arming. It
 * asks the store which nodes are due, not the cell, and `served` is not kept; so an interrupt at
 * which no node is due does no harm, nor does a cell that is armed for an instant that has passed.
 * A thread that uses the store relies on that in all cases that are rare: it arms for the first
 * node, and if that instant has passed the handler comes at once.
 */
/* The parts of such a releaser: a constant known at compile time costs nothing. */
struct hrli_one_shot_parts {
    struct hrli_releaser *releaser;
    void *queue;
    const struct hrli_store *store;
    const struct hrlp_cell
        *cell;     /* disarm, which a cell of its own need not have, comes when all are served */
    uint32_t span; /* counts, at most half of what the cell can time; 2^31 if it can time 2^32 */
};

/*
 * Arms the cell for `instant`, or a hop towards it. Context: any but the dispatch, interrupts masked.
 */
static inline __attribute__((always_inline)) void
hrli_one_shot_nodes_arm(const struct hrli_one_shot_parts *parts, hrl_stamp instant)
{
    parts->cell->arm(hrli_releaser_hop(instant, parts->span));
}

/* hrli_releaser_calls.serve for this mode: ends the use, and the handler comes at once. */
static inline __attribute__((always_inline)) void
hrli_one_shot_nodes_serve(const struct hrli_one_shot_parts *parts)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrli_releaser_end_use(parts->releaser);
    parts->cell->arm(hrlp_clock_read());
    hrlp_irq_unlock(state);
}

/*
 * Puts `node` in. If its instant has passed it is served at once. Context: a thread, dispatch held
 * off, interrupts enabled.
 */
static inline __attribute__((always_inline)) void
hrli_one_shot_nodes_put(const struct hrli_one_shot_parts *parts, struct hrli_queue_node *node)
{
    struct hrli_releaser *base = parts->releaser;
    bool is_first;

    hrli_releaser_begin_use(base);
    is_first = parts->store->insert(parts->queue, node);
    hrli_releaser_end_use(base);
    if (is_first) { /* even if it was served just now: what was deferred may not have been */
        hrlp_irq_state state = hrlp_irq_lock();

        base->deferred = false;
        hrli_one_shot_nodes_arm(parts, node->key);
        hrlp_irq_unlock(state);
    } else if (base->deferred) {
        hrli_releaser_catch_up(base);
    }
}

/*
 * The cell's interrupt, acknowledged: serves every instant that has passed and arms for the next.
 * Context: its handler, of the kernel's priority or the lowest.
 */
static inline __attribute__((always_inline)) void
hrli_one_shot_nodes_interrupt(const struct hrli_one_shot_parts *parts)
{
    struct hrli_releaser *base = parts->releaser;
    const struct hrli_store *store = parts->store;
    struct hrli_queue_node *first;
    hrl_stamp now;

    if (base->busy) {
        base->deferred = true;
        return;
    }
    now = hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS;
    while ((first = store->first(parts->queue)) != NULL) {
        if (hrli_stamp_branch_after(first->key, now)) {
            hrlp_irq_state state = hrlp_irq_lock();

            hrli_one_shot_nodes_arm(parts, first->key);
            hrlp_irq_unlock(state);
            return;
        }
        store->pop(parts->queue, first);
        store->release(base, first, first->key);
    }
    if (parts->cell->disarm != NULL) {
        hrlp_irq_state state = hrlp_irq_lock();

        parts->cell->disarm();
        hrlp_irq_unlock(state);
    }
}

#endif
