/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_PERIODIC_H
#define HRLI_PERIODIC_H

#include "hrlp_clock.h"
#include "releaser.h"
#include "stamp.h"

/*
 * Mode: the cell interrupts with a fixed period and every interrupt is an instant of the releaser.
 *
 * With one releaser at 1 ms this is a tick; several, each at the gcd of its tasks' periods, are
 * CHRONOS (Heider et al., Algorithm 1; the tick count of a timer is `served`). If an interrupt was
 * lost, because interrupts were masked for longer than a period, its instant is made up for: the
 * clock says how many instants have passed.
 *
 * A period too long for the cell is counted in software: every `divider`-th interrupt is an
 * instant.
 */
struct hrli_periodic {
    struct hrli_releaser base;
    uint32_t cell_period; /* counts between interrupts */
    uint32_t divider;
    uint32_t skip; /* interrupts until the next that is an instant; 0: the next one is */
};

/*
 * Serves `instant`, which is `next`; the following one is `counts` after it. `divider` is the releaser's: where the
 * compiler knows that it is 1 there is nothing to count. Context: as the store's owner.
 */
static inline __attribute__((always_inline)) void
hrli_periodic_serve_instant(struct hrli_periodic *releaser, hrl_stamp instant, uint32_t counts,
                            void *queue, const struct hrli_store *store, uint32_t divider)
{
    struct hrli_releaser *base = &releaser->base;

    base->next = instant + counts;
    hrli_releaser_mark_served(base, instant);
    /* The compiler loads nothing for a turn too many, and `next` again afterwards: registers are few. */
    atomic_signal_fence(memory_order_seq_cst);
    if (divider == 1) {
        store->release_due(base, queue, instant);
        return;
    }
    if (releaser->skip == 0) {
        releaser->skip = divider;
        store->release_due(base, queue, instant);
    }
    releaser->skip--;
}

/* Serves every instant that has passed. Context: as the store's owner. */
static inline __attribute__((always_inline)) void
hrli_periodic_serve(struct hrli_periodic *releaser, void *queue, const struct hrli_store *store,
                    uint32_t divider)
{
    hrl_stamp now = hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS;

    while (!hrli_stamp_branch_after(releaser->base.next, now)) {
        hrli_periodic_serve_instant(releaser, releaser->base.next, releaser->cell_period, queue,
                                    store, divider);
    }
}

/*
 * The same for one instant, which usually is all that there is. Returns false if another has passed, too. Context: as
 * the store's owner.
 */
static inline __attribute__((always_inline)) bool
hrli_periodic_serve_next(struct hrli_periodic *releaser, void *queue,
                         const struct hrli_store *store, uint32_t divider)
{
    hrl_stamp now = hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS;

    if (hrli_stamp_branch_after(releaser->base.next, now)) {
        return true;
    }
    hrli_periodic_serve_instant(releaser, releaser->base.next, releaser->cell_period, queue, store,
                                divider);
    return hrli_stamp_branch_after(releaser->base.next, now);
}

/* The cell's interrupt, acknowledged. Context: its handler. */
static inline __attribute__((always_inline)) void
hrli_periodic_interrupt(struct hrli_periodic *releaser, void *queue, const struct hrli_store *store,
                        uint32_t divider)
{
    if (releaser->base.busy) {
        releaser->base.deferred = true;
        return;
    }
    hrli_periodic_serve(releaser, queue, store, divider);
}

/*
 * hrli_releaser_calls.enqueue for this mode. What has passed has been served, so the clock is not
 * asked.
 */
static inline __attribute__((always_inline)) bool
hrli_periodic_enqueue(struct hrli_periodic *releaser, struct hrli_waiter *waiter, hrl_stamp from,
                      uint32_t span, void *queue, const struct hrli_store *store)
{
    struct hrli_releaser *base = &releaser->base;

    hrli_releaser_begin_use(base);
    if (base->served - from >= span) {
        hrli_releaser_leave(base);
        return false;
    }
    hrli_releaser_unready(base->ready, waiter);
    store->insert(queue, &waiter->node);
    hrli_releaser_leave(base);
    return true;
}

/*
 * Puts `node` in, to be released at the first instant not before its key; at once if that has been
 * served. For nodes that are not waiters. `served` begins with the clock, not with the first
 * instant, if threads put nodes in before that. Context: a thread, dispatch held off, interrupts
 * enabled.
 */
static inline __attribute__((always_inline)) void
hrli_periodic_put(struct hrli_periodic *releaser, struct hrli_queue_node *node, void *queue,
                  const struct hrli_store *store)
{
    struct hrli_releaser *base = &releaser->base;

    hrli_releaser_begin_use(base);
    if (hrli_stamp_branch_after(node->key, base->served)) {
        store->insert(queue, node);
    } else {
        store->release(base, node, node->key);
    }
    hrli_releaser_leave(base);
}

/* hrli_releaser_calls.start for this mode: `next` is the first instant. */
static inline void hrli_periodic_start(struct hrli_periodic *releaser)
{
    releaser->base.cell->start_periodic(releaser->base.next, releaser->cell_period);
}

#endif
