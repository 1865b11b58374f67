/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LIMITED_H
#define HRLI_LIMITED_H

#include "hrlp_clock.h"
#include "hrlp_trace.h"
#include "line_table.h"
#include "line_words.h"
#include "stamp.h"
#include <hrl/basic.h>

/*
 * Basic tasks that are released a limited number of times: they note their last job, and periodic
 * cells pass them over from then on. Only systems with such tasks link this, or have its words. A
 * task alone on a line without words notes nothing: its jobs behind the last do nothing.
 */

/* What the end of a task changes. */
struct hrli_limited {
    struct hrli_line_ends *ends; /* of the task's line */
    uint32_t bit;                /* the task's */
    uint32_t all;                /* those of all tasks of the line that its cell releases */
    uint32_t line;               /* to raise, as a set */
    volatile uint32_t *alive;    /* the lines that its cell still raises; at first, all */
    void (*stop)(void);          /* stops the cell */
};

/*
 * hrli_limited_run of the last job and of releases beyond it. Only tasks of the line write its word
 * `ended`, and these do not interrupt each other, so nothing is masked.
 */
void hrli_limited_last(uint32_t *left, const struct hrli_limited *of, void (*body)(void));

/*
 * Runs in the place of `body`: of the task's jobs `left` are still to come. `of` is a constant,
 * NULL for a task that notes nothing. A release beyond the last job does nothing.
 */
static inline __attribute__((always_inline)) void
hrli_limited_run(uint32_t *left, const struct hrli_limited *of, void (*body)(void))
{
    uint32_t before = *left;

    if (__builtin_expect(before > 1, 1)) {
        *left = before - 1u;
        body();
    } else {
        hrli_limited_last(left, of, body);
    }
}

/*
 * As hrli_line_table_interrupt, for a periodic cell; serving the due rows is a function of its own,
 * so that an interrupt at which no row is due has no frame. Context: the cell's handler,
 * acknowledged.
 */
static inline __attribute__((always_inline)) void
hrli_limited_table_interrupt(const struct hrli_line_table *table, void (*serve)(void),
                             uint32_t ahead)
{
    if (hrli_stamp_has_passed(table->due, hrlp_clock_read(), ahead)) {
        serve();
    }
}

/*
 * The body of `serve`, all arguments but `table` constant: serves every row that is due, then looks
 * for the next one with a line of `alive`, so that rows with none of these lines cost a few
 * instructions and no interrupt. There is one within the longest period of the table.
 */
static inline __attribute__((always_inline)) void
hrli_limited_table_serve(struct hrli_line_table *table, uint32_t alone, bool shared,
                         const volatile uint32_t *alive, uint32_t ahead)
{
    HRLP_CONST struct hrli_line_row *row = table->row;
    hrl_stamp due = table->due;
    hrl_stamp now = hrlp_clock_read();

    do {
        uint32_t lines = *alive;

        if (lines == 0) {
            return; /* the interrupt was on its way when the cell was stopped */
        }
        hrli_line_row_serve(row, alone, shared, lines, true);
        do {
            hrlp_trace_served(table, due + HRLP_CELL_EARLY_COUNTS);
            due += row->gap;
            row++;
            if (__builtin_expect(row->gap == 0, 0)) {
                row = row->parts->is.next;
            }
        } while ((row->parts->is.bits & lines) == 0);
    } while (hrli_stamp_has_passed(due, now, ahead));
    table->row = row;
    table->due = due;
}

#endif
