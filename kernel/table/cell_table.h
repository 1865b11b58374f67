/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CELL_TABLE_H
#define HRLI_CELL_TABLE_H

#include "check.h"
#include "hrlp_irq.h"
#include <hrl/cell_table.h>
#include <stddef.h>

/*
 * Schedule tables with a cell for each point (hrl/cell_table.h), put together with the cells' driver, so
 * that a stop is two stores.
 *
 * All cells of a table are periodic, with the table's duration, and of one group: they count while the group
 * runs, and stand still otherwise. A start sets their counters so that each comes to its comparison at its
 * point, and lets the group run. The cells of a table that runs once have the longest period there is. A
 * table that runs once, or that another may follow, has a cell for its round's end, the first one. That
 * interrupts, before the points, only if something happens then.
 *
 * Source: SLOTH ON TIME (Hofer et al., RTSS 2012), section IV-A. There the cells of a table that runs once are
 * switched off by hardware; here so is the state, by the end of its round.
 */

/* The driver's functions for groups (hrlp_cell.h). */
struct hrli_cell_groups {
    void (*start)(uint32_t groups);
    void (*stop)(uint32_t groups);
    void (*set)(unsigned channel, const uint32_t *offsets, uint32_t count, uint32_t from);
    void (*set_by)(unsigned channel, const volatile uint32_t *reference, uint32_t due,
                   uint32_t period);
    void (*fire)(unsigned channel, uint32_t period);
    uint32_t (*read)(const volatile uint32_t *reference);
    const volatile uint32_t *(*clock)(void);
    const volatile uint32_t *(*counter)(unsigned channel);
    void (*allow)(unsigned channel, unsigned group, bool interrupts);
    void (*forget)(unsigned channel);
    void (*set_period)(unsigned channel, uint32_t period);
};

#define HRLI_CELL_TABLE_INLINE static inline __attribute__((always_inline))

/*
 * An instant that is as near as this when its cell is set is served at once, and the cell set for the round
 * behind it.
 */
#define HRLI_CELL_TABLE_NEAR_COUNTS 32

/*
 * The interrupt of the cell of the round's end is wanted if the table ends, or another one follows. Of a
 * table with such a cell.
 */
HRLI_CELL_TABLE_INLINE void hrli_cell_table_await_end(const struct hrl_cell_table *table,
                                                      const struct hrli_cell_groups *cells,
                                                      bool is_awaited)
{
    cells->allow(table->cell, table->group, is_awaited || table->period == 0);
}

/* The offset of the first point. */
HRLI_CELL_TABLE_INLINE uint32_t hrli_cell_table_first(const struct hrl_cell_table *table)
{
    return table->offsets[table->has_end ? 1 : 0];
}

/*
 * Sets a cell that fires `at` steps of the counter at `reference`, and then in each period. What has passed,
 * or is near, fires at once.
 */
HRLI_CELL_TABLE_INLINE void hrli_cell_table_set(const struct hrl_cell_table *table, unsigned cell,
                                                bool interrupts, const volatile uint32_t *reference,
                                                uint32_t at, const struct hrli_cell_groups *cells)
{
    cells->allow(cell, table->group, interrupts);
    if ((int32_t)(at - cells->read(reference)) < HRLI_CELL_TABLE_NEAR_COUNTS) {
        while ((int32_t)(at - cells->read(reference)) > 0) { /* some counts */
        }
        cells->fire(cell, table->period);
        if (table->period == 0) {
            return; /* it has fired, and will not again */
        }
        do { /* a round that has passed altogether is lost */
            at += table->period;
        } while ((int32_t)(at - cells->read(reference)) < HRLI_CELL_TABLE_NEAR_COUNTS);
    }
    cells->set_by(cell, reference, at, table->period);
}

/*
 * Begins `table`, which is stopped: its round starts when the counter at `reference` is `start`. Context:
 * interrupts masked.
 */
HRLI_CELL_TABLE_INLINE void
hrli_cell_table_begin(struct hrl_cell_table *table, const volatile uint32_t *reference,
                      uint32_t start, const struct hrli_cell_groups *cells)
{
    for (uint32_t i = 0; i < table->count; i++) {
        cells->allow(table->cell + i, table->group, false);
    }
    cells->start(table->groups);
    for (uint32_t i = 0; i < table->count; i++) {
        bool interrupts = i != 0 || !table->has_end || table->period == 0;

        hrli_cell_table_set(table, table->cell + i, interrupts, reference,
                            start + table->offsets[i], cells);
    }
    table->state = HRL_TABLE_RUNNING;
}

/*
 * The `run` of a table. `count` and `cell` are its own, as constants: so the stores to its cells need no loop, which
 * takes as long as three of them. Context: interrupts masked, `state` as it was.
 */
HRLI_CELL_TABLE_INLINE enum hrl_status
hrli_cell_table_run(struct hrl_cell_table *table, uint32_t from, hrlp_irq_state state,
                    unsigned cell, uint32_t count, const struct hrli_cell_groups *cells)
{
    cells->set(cell, table->offsets, count, from);
    table->state = HRL_TABLE_RUNNING;
    cells->start(table->groups);
    hrlp_irq_unlock(state);
    return HRL_OK;
}

/* `run` is called last, so that this needs no stack. */
HRLI_CELL_TABLE_INLINE enum hrl_status hrli_cell_table_start_relative(struct hrl_cell_table *table,
                                                                      uint32_t offset)
{
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_cell_table_start_relative");
    if (offset - 1u >= table->most) { /* 0, too */
        return HRL_VALUE;
    }
    state = hrlp_irq_lock();
    if (table->state != HRL_TABLE_STOPPED) {
        hrlp_irq_unlock(state);
        return HRL_STATE;
    }
    return table->run(table, table->period - offset, state);
}

HRLI_CELL_TABLE_INLINE enum hrl_status
hrli_cell_table_start_absolute(struct hrl_cell_table *table, uint32_t start,
                               const struct hrli_cell_groups *cells)
{
    enum hrl_status status = HRL_STATE;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_cell_table_start_absolute");
    state = hrlp_irq_lock();
    if (table->state == HRL_TABLE_STOPPED) {
        uint32_t ahead = start + hrli_cell_table_first(table) - cells->read(cells->clock());

        status = HRL_VALUE;
        if (ahead != 0 && ahead <= INT32_MAX) { /* 0: the next time round */
            hrli_cell_table_begin(table, cells->clock(), start, cells);
            status = HRL_OK;
        }
    }
    hrlp_irq_unlock(state);
    return status;
}

/*
 * Parts a table that stops, or takes another follower, from the one that follows it or that it was to follow.
 * Context: interrupts masked.
 */
HRLI_CELL_TABLE_INLINE void hrli_cell_table_part(struct hrl_cell_table *table,
                                                 const struct hrli_cell_groups *cells)
{
    struct hrl_cell_table *other = table->other;
    bool follows = table->state == HRL_TABLE_NEXT;
    struct hrl_cell_table *leader = follows ? other : table;
    struct hrl_cell_table *follower = follows ? table : other;

    leader->state = HRL_TABLE_RUNNING;
    leader->other = NULL;
    follower->state = HRL_TABLE_STOPPED;
    follower->other = NULL;
    hrli_cell_table_await_end(leader, cells, false);
}

/* Halts the cells of a table, and forgets the points that have come. Context: interrupts masked. */
HRLI_CELL_TABLE_INLINE void hrli_cell_table_halt(struct hrl_cell_table *table,
                                                 const struct hrli_cell_groups *cells)
{
    cells->stop(table->groups);
    *table->forget = table->requests;
    table->state = HRL_TABLE_STOPPED;
}

/* `other` stops a table that does not just run; `state` as it was, which is unlocked there. */
HRLI_CELL_TABLE_INLINE enum hrl_status
hrli_cell_table_stop(struct hrl_cell_table *table,
                     enum hrl_status (*other)(struct hrl_cell_table *table, hrlp_irq_state state),
                     const struct hrli_cell_groups *cells)
{
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_cell_table_stop");
    state = hrlp_irq_lock();
    if (__builtin_expect(table->state != HRL_TABLE_RUNNING, false)) {
        return other(table, state);
    }
    hrli_cell_table_halt(table, cells);
    hrlp_irq_unlock(state);
    return HRL_OK;
}

HRLI_CELL_TABLE_INLINE enum hrl_status
hrli_cell_table_stop_other(struct hrl_cell_table *table, hrlp_irq_state state,
                           const struct hrli_cell_groups *cells)
{
    enum hrl_status status = HRL_NOT_RUNNING;

    if (table->state != HRL_TABLE_STOPPED) {
        hrli_cell_table_part(table, cells);
        hrli_cell_table_halt(table, cells);
        status = HRL_OK;
    }
    hrlp_irq_unlock(state);
    return status;
}

HRLI_CELL_TABLE_INLINE enum hrl_status hrli_cell_table_next(struct hrl_cell_table *from,
                                                            struct hrl_cell_table *to,
                                                            const struct hrli_cell_groups *cells)
{
    enum hrl_status status = HRL_OK;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_cell_table_next");
    if (!from->has_end) {
        return HRL_ID;
    }
    state = hrlp_irq_lock();
    if (from->state == HRL_TABLE_STOPPED || from->state == HRL_TABLE_NEXT) {
        status = HRL_NOT_RUNNING;
    } else if (to->state != HRL_TABLE_STOPPED) {
        status = HRL_STATE;
    } else {
        if (from->other != NULL) {
            hrli_cell_table_part(from, cells);
        }
        from->other = to;
        from->state = HRL_TABLE_RUNNING | HRLI_FOLLOWED;
        to->other = from;
        to->state = HRL_TABLE_NEXT;
        hrli_cell_table_await_end(from, cells, true);
    }
    hrlp_irq_unlock(state);
    return status;
}

/*
 * The round of `table` has ended. Points that have come since are those of a round that is none; so are they
 * if the same points of the round before still wait, which are overruns. Context: the handler of its first
 * cell, which comes before those of its points.
 */
HRLI_CELL_TABLE_INLINE void hrli_cell_table_end(struct hrl_cell_table *table,
                                                const struct hrli_cell_groups *cells)
{
    hrlp_irq_state state = hrlp_irq_lock();
    struct hrl_cell_table *follower = table->other;
    const volatile uint32_t *since = cells->counter(table->cell);
    uint32_t i = 1; /* the first point */

    if (table->state == (HRL_TABLE_RUNNING | HRLI_FOLLOWED) ||
        (table->state == HRL_TABLE_RUNNING && table->period == 0)) {
        cells->set_period(table->cell, 0); /* so that the counter does not begin anew meanwhile */
        if (follower != NULL) {
            follower->other = NULL;
            table->other = NULL;
            hrli_cell_table_begin(follower, since, 0, cells);
        }
        cells->stop(table->groups);
        while (table->period != 0 && i < table->count && table->offsets[i] <= cells->read(since)) {
            cells->forget(table->cell + i);
            i++;
        }
        cells->set_period(table->cell, table->period);
        table->state = HRL_TABLE_STOPPED;
        hrli_cell_table_await_end(table, cells, false);
    }
    hrlp_irq_unlock(state);
}

#endif
