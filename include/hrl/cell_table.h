/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_CELL_TABLE_H
#define HRL_CELL_TABLE_H

#include <hrl/schedule_table.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Schedule tables in timer cells: each point has one, and a control cell starts and stops them all. A
 * description has them ([[table]] with counter = "cells"), and hrl_gen_tables.h declares them:
 *
 *     hrl_schedule_table_start_relative(&table_combustion, 1000);
 *
 * The calls of schedule tables take them, too (below): which function it is follows from the type of the
 * table, when it is compiled. So a description can move a table between cells and the clock, and its
 * sources stay as they are.
 *
 * Times are counts of the system's clock. Between its start and its stop such a table needs no kernel: a
 * point's cell is the interrupt that activates its tasks.
 *
 * States and results are those of hrl/schedule_table.h; cell tables follow no global time.
 *
 * Context of all calls: any but above the kernel; where cells have no groups, a thread or what an alarm
 * calls. Interrupts are masked for a time in proportion to the table's points.
 */

/* A table; the fields are the kernel's. */
struct hrl_cell_table {
    struct hrl_schedule_table *by_clock; /* where cells have no groups; else NULL */
    volatile uint32_t state; /* enum hrl_table_state, and HRLI_FOLLOWED of one that runs */
    uint32_t most;           /* the largest offset of a relative start */
    uint32_t period;         /* of its cells: the duration; 0: a single shot */
    const uint32_t
        *offsets;      /* of its cells: the duration, if it has an end; its points', ascending */
    uint32_t count;    /* of them */
    uint32_t cell;     /* the channel of the first one; the others follow it */
    uint32_t groups;   /* their group, as a bit */
    uint32_t group;    /* the number of that */
    uint32_t requests; /* their bits, and where a store of these forgets their requests */
    volatile uint32_t *forget;
    struct hrl_cell_table
        *other;   /* while it is next: the one it follows; else the one that is next, or NULL */
    bool has_end; /* its first cell is that of its round's end */
    /* Lets its cells run, at `from` less their offsets, and puts the mask of interrupts back to `state`. */
    enum hrl_status (*run)(struct hrl_cell_table *table, uint32_t from, unsigned state);
};

/*
 * Defines `table_name`, which is the table `its_table` on a clock counter, for applications without the
 * tool: at file scope.
 */
#define HRL_CELL_TABLE_DEFINE_BY_CLOCK(table_name, its_table)                                      \
    struct hrl_cell_table table_name = {its_table, 0, 0, 0,         HRLI_NONE, 0,     0,           \
                                        0,         0, 0, HRLI_NONE, HRLI_NONE, false, HRLI_NONE}

enum { HRLI_FOLLOWED = 8 }; /* another table is next */

/*
 * Starts a table `offset` counts from now: its first point comes after that and its own offset. HRL_OK;
 * HRL_STATE if it is not stopped; HRL_VALUE if `offset` is 0, or the first point would be 2^31 counts away
 * or more.
 */
enum hrl_status hrl_cell_table_start_relative(struct hrl_cell_table *table, uint32_t offset);

/*
 * Starts a table when the low 32 bits of the clock are `start` next. HRL_OK; HRL_STATE if it is not stopped;
 * HRL_VALUE if the first point is 2^31 counts away or more.
 */
enum hrl_status hrl_cell_table_start_absolute(struct hrl_cell_table *table, uint32_t start);

/*
 * Stops a table; one that was to follow it is stopped, too. HRL_OK, and no point of it is processed behind
 * this call; HRL_NOT_RUNNING if it is stopped.
 */
enum hrl_status hrl_cell_table_stop(struct hrl_cell_table *table);

/*
 * When `from` has ended its round `to` starts, in its place. HRL_OK, and another table that was to follow
 * `from` is stopped; HRL_ID if `from` is repeating and described without `followed`; HRL_NOT_RUNNING if
 * `from` is stopped or follows another one itself; HRL_STATE if `to` is not stopped.
 */
enum hrl_status hrl_cell_table_next(struct hrl_cell_table *from, struct hrl_cell_table *to);

/* Its state. Context: any. */
static inline enum hrl_table_state hrl_cell_table_state(const struct hrl_cell_table *table)
{
    return table->by_clock == HRLI_NONE
               ? (enum hrl_table_state)(table->state & (HRLI_FOLLOWED - 1u))
               : hrl_schedule_table_state(table->by_clock);
}

#ifdef __cplusplus
}

static inline enum hrl_status hrl_schedule_table_start_relative(struct hrl_cell_table *table,
                                                                uint32_t offset)
{
    return hrl_cell_table_start_relative(table, offset);
}
static inline enum hrl_status hrl_schedule_table_start_absolute(struct hrl_cell_table *table,
                                                                uint32_t start)
{
    return hrl_cell_table_start_absolute(table, start);
}
static inline enum hrl_status hrl_schedule_table_stop(struct hrl_cell_table *table)
{
    return hrl_cell_table_stop(table);
}
static inline enum hrl_status hrl_schedule_table_next(struct hrl_cell_table *from,
                                                      struct hrl_cell_table *to)
{
    return hrl_cell_table_next(from, to);
}
static inline enum hrl_table_state hrl_schedule_table_state(const struct hrl_cell_table *table)
{
    return hrl_cell_table_state(table);
}
#else

/* The call of this name for the table's kind. */
#define HRLI_OF_TABLE(table, call)                                                                 \
    _Generic((table),                                                                              \
        struct hrl_cell_table *: hrl_cell_table_##call,                                            \
        const struct hrl_cell_table *: hrl_cell_table_##call,                                      \
        default: hrl_schedule_table_##call)
#define hrl_schedule_table_start_relative(table, offset)                                           \
    HRLI_OF_TABLE(table, start_relative)(table, offset)
#define hrl_schedule_table_start_absolute(table, start)                                            \
    HRLI_OF_TABLE(table, start_absolute)(table, start)
#define hrl_schedule_table_stop(table) HRLI_OF_TABLE(table, stop)(table)
#define hrl_schedule_table_next(from, to) HRLI_OF_TABLE(from, next)(from, to)
#define hrl_schedule_table_state(table) HRLI_OF_TABLE(table, state)(table)
#endif

#endif
