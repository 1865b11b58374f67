/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_GROUP_H
#define HRLI_LINE_GROUP_H

#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include "hrlp_trace.h"
#include "line_table.h"
#include "period.h"
#include "stamp.h"
#include <hrl/objects.h>

/*
 * Basic tasks of one period and one offset: they are released together, by one store to the
 * controller's pending register, and share one instant, at which they are due next. No task is put
 * in or taken out while the system runs.
 *
 * Where the hyperperiod is too long for a table a releaser holds such groups: line_queue.h in a delay
 * queue, line_groups.h in an array. As with a table (line_table.h), the clock says which groups are due when
 * the cell interrupts, and a release that finds its task unfinished is an overrun. Basic tasks wait for
 * nothing, so the handler that releases a group also puts it back into the store, and pays for that.
 *
 * A period longer than a hop is stepped in hops, at which nothing is released (period.h).
 */
struct hrli_line_group {
    struct hrli_queue_node node; /* first: a store's node is a group. Key: HRLI_LINE_TABLE_DUE */
    struct hrli_period period;
    uint32_t left;                           /* hops until the next release */
    uint32_t raise;                          /* the lines to raise, as a set */
    HRLP_CONST struct hrli_line_part *parts; /* a head, as in a row of a table */
};

/* What is constant of a releaser's groups; what none of them has costs nothing. */
struct hrli_line_groups_kind {
    uint32_t alone;     /* their lines of one task that have no words, as a set */
    uint32_t ahead;     /* counts; the first group is never due later than that; a power of two */
    bool has_parts;     /* some line has words */
    bool is_shared;     /* an interrupt that comes into the cell's may write the same words */
    bool has_fractions; /* some period is no whole number of counts */
    bool has_hops;      /* some period is longer than a hop */
};

/* Releases the tasks of the parts behind the head `parts`, and raises `raise`. Context: the cell's handler. */
static inline __attribute__((always_inline)) void
hrli_line_group_release(HRLP_CONST struct hrli_line_part *parts, uint32_t raise,
                        const struct hrli_line_groups_kind *kind)
{
    if (kind->has_parts) {
        hrlp_irq_state state = kind->is_shared ? hrlp_irq_lock() : HRLP_IRQ_UNLOCKED;

        hrli_line_parts_release(parts, false);
        if (kind->is_shared) {
            hrlp_irq_unlock(state);
        }
    }
    hrlp_line_raise(hrli_line_alone_release(raise, kind->alone));
}

/* The instant of `group` after the release at `due`, hops apart. */
static inline __attribute__((always_inline)) hrl_stamp
hrli_line_group_after(struct hrli_line_group *group, hrl_stamp due,
                      const struct hrli_line_groups_kind *kind)
{
    if (!kind->has_fractions) {
        return due + group->period.counts;
    }
    return hrli_period_advance(&group->period, due);
}

/*
 * Serves `group`, which is due: releases its tasks, unless it is at a hop; returns the key that it is to
 * have from then on. `served` is where an observer sees that. Context: the cell's handler.
 */
static inline __attribute__((always_inline)) hrl_stamp
hrli_line_group_serve(struct hrli_line_group *group, volatile hrl_stamp *served,
                      const struct hrli_line_groups_kind *kind)
{
    hrl_stamp due = group->node.key;

    *served = due;
    hrlp_trace_served((const void *)(uintptr_t)served, due + HRLP_CELL_EARLY_COUNTS);
    if (!kind->has_hops) {
        hrli_line_group_release(group->parts, group->raise, kind);
        return hrli_line_group_after(group, due, kind);
    }
    if (group->left == 0) {
        hrli_line_group_release(group->parts, group->raise, kind);
        group->left = group->period.hops;
    } else {
        group->left--;
    }
    return group->left != 0 ? due + HRLI_PERIOD_HOP_COUNTS
                            : hrli_line_group_after(group, due, kind);
}

#endif
