/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_TIMER_CELLS_H
#define HRLP_TIMER_CELLS_H

#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_cores.h"
#include "hrlp_difference.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include "timer_cells.h"

/*
 * A timer cell on a source of its own. That forgets the request when it is claimed, so that there
 * is nothing to acknowledge.
 */
#define HRLP_TIMER_CELLS_LINE(channel) (64 + (int)(channel))

/*
 * Channels from here on are the clock, for its acknowledge only: it interrupts at the wrap of 32
 * bits, and the next one is where the upper half is one more.
 */

/*
 * From the cycle that reads the clock to the one that writes the counter there are three, in the
 * instructions of hrlp_difference_store, on either of the core's configurations. One later it counts
 * from there. tests/conform/port checks that no cell is early or late by a count.
 */
#define HRLP_TIMER_CELLS_LATENCY 3u
#define HRLP_TIMER_CELLS_SHORTEST 1

/*
 * How late. The cell requests its interrupt at the count of the instant that it was given; one that is past when it is
 * armed in the 16 cycles, at most, of the instructions that find that. The handler enters 12 cycles later if the core
 * sleeps, and within 48 if an instruction has to end before: a division takes 37 on the smaller configuration.
 */
#define HRLP_TIMER_CELLS_LATE_COUNTS 64u

/*
 * Sets the counter to the clock - `due`: it will be 0 - LATENCY - 1 when the clock is `due`. Returns what it was set
 * to.
 */
static inline uint32_t hrlp_timer_cells_set(unsigned channel, uint32_t due)
{
    return hrlp_difference_store(&HRLP_TIMER_CELL(channel)->count, HRLP_TIMER_CELLS_TIME, due);
}

/*
 * With several cores the channel is from now on this core's; the quantum cell, behind those of all, is in any case.
 */
static inline void hrlp_timer_cells_route(unsigned channel)
{
    if (HRL_CORES > 1 && channel < HRLP_TIMER_CELLS_SHARED) {
        HRLP_TIMER_CELLS_ROUTE(channel) = hrlp_core_number();
    }
}

/* `channel` is a constant: the handler is Cell_Handler<channel>. */
static inline __attribute__((always_inline)) void hrlp_timer_cells_prepare_at(unsigned channel,
                                                                              unsigned level)
{
    hrlp_timer_cells_route(channel);
    hrlp_line_enable(HRLP_TIMER_CELLS_LINE(channel), level);
}

/* No interrupt comes of what fired before. Context: its handler. */
static inline void hrlp_timer_cells_forget(unsigned channel)
{
    hrlp_irq_clear(HRLP_TIMER_CELLS_LINE(channel));
}

static inline __attribute__((always_inline)) void hrlp_timer_cells_prepare(unsigned channel,
                                                                           unsigned priority)
{
    hrlp_timer_cells_route(channel);
    hrlp_irq_enable_at(HRLP_TIMER_CELLS_LINE(channel), priority);
}

static inline bool hrlp_timer_cells_fired(unsigned channel)
{
    struct hrlp_timer_cell *cell = HRLP_TIMER_CELL(channel);
    bool fired = (cell->status & HRLP_TIMER_CELL_FIRED) != 0;

    if (fired) {
        cell->status = HRLP_TIMER_CELL_FIRED;
    }
    return fired;
}

/* The claim has cleared its cause already. */
static inline void hrlp_timer_cells_acknowledge(unsigned channel)
{
    (void)channel;
}

static inline void hrlp_timer_cells_disarm(unsigned channel)
{
    HRLP_TIMER_CELL(channel)->control = 0;
}

/* `compare` is what the counter has come to at `first`, having stepped to 0 at each period before. */
static inline void hrlp_timer_cells_start_periodic(unsigned channel, hrl_stamp first,
                                                   uint32_t period)
{
    struct hrlp_timer_cell *cell = HRLP_TIMER_CELL(channel);

    cell->compare = period;
    cell->control = HRLP_TIMER_CELL_COUNTS | HRLP_TIMER_CELL_PERIODIC;
    (void)hrlp_timer_cells_set(channel, first - period - HRLP_TIMER_CELLS_LATENCY - 1u);
    cell->control = HRLP_TIMER_CELL_COUNTS | HRLP_TIMER_CELL_INTERRUPTS | HRLP_TIMER_CELL_PERIODIC;
}

/* The counter is far below either comparison, as the interval has just begun. */
static inline void hrlp_timer_cells_set_period(unsigned channel, uint32_t counts)
{
    HRLP_TIMER_CELL(channel)->compare = counts;
}

HRLP_CELL_STRETCH_BY_PERIOD(hrlp_timer_cells, false)

/* `compare` of an armed cell; the counter is behind it by what is left, and runs on. */
#define HRLP_TIMER_CELLS_COMPARE (0u - HRLP_TIMER_CELLS_LATENCY - 1u)

/* The counter is 0 and far from `compare` while an earlier request is forgotten. */
static inline void hrlp_timer_cells_halt(unsigned channel)
{
    struct hrlp_timer_cell *cell = HRLP_TIMER_CELL(channel);

    cell->count = 0;
    cell->compare = HRLP_TIMER_CELLS_COMPARE;
    hrlp_timer_cells_forget(channel);
    cell->control =
        HRLP_TIMER_CELL_COUNTS | HRLP_TIMER_CELL_INTERRUPTS | HRLP_TIMER_CELL_CONTINUOUS;
}

/* The counter counts first a count after it is set. ~x is -x - 1. */
static inline int32_t hrlp_timer_cells_match(unsigned channel, hrl_stamp due)
{
    return ~(int32_t)hrlp_timer_cells_set(channel, due) - (int32_t)HRLP_TIMER_CELLS_LATENCY;
}

static inline void hrlp_timer_cells_soon(unsigned channel)
{
    HRLP_TIMER_CELL(channel)->count = HRLP_TIMER_CELLS_COMPARE - 1u;
}

HRLP_CELL_ARM_MATCH(hrlp_timer_cells, HRLP_TIMER_CELLS_SHORTEST)
HRLP_CELL_REARM_IS_ARM(hrlp_timer_cells)

/* `compare` holds the instant of an armed cell, whatever the counter began with. */
static inline int32_t hrlp_timer_cells_compare_ahead(unsigned channel)
{
    const struct hrlp_timer_cell *cell = HRLP_TIMER_CELL(channel);

    return (int32_t)(cell->compare - cell->count);
}

static inline uint32_t hrlp_timer_cells_compare(unsigned channel)
{
    return HRLP_TIMER_CELL(channel)->compare;
}

static inline void hrlp_timer_cells_set_compare(unsigned channel, uint32_t to)
{
    HRLP_TIMER_CELL(channel)->compare = to;
}

/* Groups: the control cells are bits of RUN. */
static inline void hrlp_timer_cells_group_start(uint32_t groups)
{
    HRLP_TIMER_CELLS_RUN_SET = groups;
}

static inline void hrlp_timer_cells_group_stop(uint32_t groups)
{
    HRLP_TIMER_CELLS_RUN_CLEAR = groups;
}

/* Sets the counters of four cells; the loads come first, so that no instruction waits for one. */
static inline __attribute__((always_inline)) void
hrlp_timer_cells_set_four(struct hrlp_timer_cell *cell, const uint32_t *offsets, uint32_t from)
{
    uint32_t first = offsets[0], second = offsets[1], third = offsets[2], fourth = offsets[3];

    cell[0].count = from - first;
    cell[1].count = from - second;
    cell[2].count = from - third;
    cell[3].count = from - fourth;
}

static inline __attribute__((always_inline)) void
hrlp_timer_cells_group_set(unsigned channel, const uint32_t *offsets, uint32_t count, uint32_t from)
{
    struct hrlp_timer_cell *cell = HRLP_TIMER_CELL(channel);

    for (; count % 8u != 0; count--) {
        cell->count = from - *offsets;
        cell++;
        offsets++;
    }
    for (; count != 0; count -= 8u) { /* last, so that nothing is counted behind it */
        hrlp_timer_cells_set_four(cell, offsets, from);
        hrlp_timer_cells_set_four(cell + 4, offsets + 4, from);
        cell += 8;
        offsets += 8;
    }
}

static inline void hrlp_timer_cells_group_set_by(unsigned channel,
                                                 const volatile uint32_t *reference, uint32_t due,
                                                 uint32_t period)
{
    (void)hrlp_difference_store(&HRLP_TIMER_CELL(channel)->count, reference,
                                due - period - HRLP_TIMER_CELLS_LATENCY - 1u);
}

static inline void hrlp_timer_cells_group_fire(unsigned channel, uint32_t period)
{
    HRLP_TIMER_CELL(channel)->count = period - 1u;
}

static inline uint32_t hrlp_timer_cells_group_read(const volatile uint32_t *reference)
{
    return *reference;
}

static inline const volatile uint32_t *hrlp_timer_cells_group_clock(void)
{
    return HRLP_TIMER_CELLS_TIME;
}

static inline const volatile uint32_t *hrlp_timer_cells_group_counter(unsigned channel)
{
    return &HRLP_TIMER_CELL(channel)->count;
}

static inline void hrlp_timer_cells_group_allow(unsigned channel, unsigned group, bool interrupts)
{
    HRLP_TIMER_CELL(channel)->control = HRLP_TIMER_CELL_GROUP(group) | HRLP_TIMER_CELL_COUNTS |
                                        HRLP_TIMER_CELL_PERIODIC |
                                        (interrupts ? (uint32_t)HRLP_TIMER_CELL_INTERRUPTS : 0u);
}

static inline void hrlp_timer_cells_group_prepare(unsigned channel, unsigned group, uint32_t period,
                                                  bool interrupts)
{
    HRLP_TIMER_CELL(channel)->compare = period;
    hrlp_timer_cells_group_allow(channel, group, interrupts);
}

static inline void hrlp_timer_cells_group_period(unsigned channel, uint32_t period)
{
    HRLP_TIMER_CELL(channel)->compare = period;
}

/* A store of a cell's bit, that of its number modulo 32, forgets its request. */
#define HRLP_TIMER_CELLS_FORGET(channel)                                                           \
    (&HRLP_TIMER_CELLS_CLEAR[(unsigned)HRLP_TIMER_CELLS_LINE(channel) / 32u])

/*
 * Budgets of `counts` (kernel/guard/own_budget.h): the cell counts while the handler of `line` is the most urgent that
 * runs, and interrupts when it comes to them. Context: start-up; the line's handler or one that came into it.
 */
static inline void hrlp_timer_cells_budget_prepare(unsigned channel, unsigned group, int line,
                                                   uint32_t counts)
{
    struct hrlp_timer_cell *cell = HRLP_TIMER_CELL(channel);

    cell->count = counts;
    cell->compare = counts;
    cell->control = HRLP_TIMER_CELL_COUNTS | HRLP_TIMER_CELL_INTERRUPTS |
                    HRLP_TIMER_CELL_CONTINUOUS | HRLP_TIMER_CELL_GROUP(group);
    HRLP_TIMER_CELLS_FOLLOW(group) = (uint32_t)line | HRLP_TIMER_CELLS_FOLLOWS;
}

static inline void hrlp_timer_cells_budget_start(unsigned channel)
{
    HRLP_TIMER_CELL(channel)->count = 0;
}

/* It interrupts with the next count. */
static inline void hrlp_timer_cells_budget_again(unsigned channel, uint32_t counts)
{
    HRLP_TIMER_CELL(channel)->count = counts - 1u;
}

/* It interrupts in 2^32 counts. */
static inline void hrlp_timer_cells_budget_stop(unsigned channel, uint32_t counts)
{
    HRLP_TIMER_CELL(channel)->count = counts;
}

/* Time slices: the period is one. */
static inline void hrlp_timer_cells_slice_start(unsigned channel, uint32_t counts)
{
    struct hrlp_timer_cell *cell = HRLP_TIMER_CELL(channel);

    cell->compare = counts;
    cell->count = 0;
    cell->status = HRLP_TIMER_CELL_FIRED;
    cell->control = HRLP_TIMER_CELL_COUNTS | HRLP_TIMER_CELL_INTERRUPTS | HRLP_TIMER_CELL_PERIODIC;
}

static inline void hrlp_timer_cells_slice_restart(unsigned channel)
{
    struct hrlp_timer_cell *cells = (struct hrlp_timer_cell *)hrlp_cell_base(HRLP_TIMER_CELLS_BASE);

    cells[channel].count = 0;
    cells[channel].status = HRLP_TIMER_CELL_FIRED;
}

static inline bool hrlp_timer_cells_slice_is_over(unsigned channel)
{
    return hrlp_timer_cells_fired(channel);
}

static inline void hrlp_timer_cells_slice_prolong(unsigned channel, uint32_t by, uint32_t counts)
{
    HRLP_TIMER_CELL(channel)->count = counts - by;
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_timer_cells)

#endif
