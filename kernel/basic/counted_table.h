/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_COUNTED_TABLE_H
#define HRLI_COUNTED_TABLE_H

#include "short_table.h"

/*
 * Releases by a periodic cell with a handler that counts (<device>_COUNTING_ENTRY): its entry counts the interrupts
 * until the next release, moves the cell on, and comes here only if a release is due, or if it is late. So the clock is
 * not read, and an interrupt that releases nothing only counts.
 *
 * Source: the relative request queue of Periodic Timers Revisited, section III, with the rows of a table in place of
 * alarms, and interrupts in place of time.
 */
struct hrli_counted_table {
    HRLP_CONST struct hrli_line_row *row; /* the next one; `gap` is in interrupts */
    uint16_t left; /* interrupts before that of the row; below 0: the row is due */
};

/* The same for a cell with one task, which has a line of its own. */
struct hrli_counted_task {
    uint16_t left;
};

#if HRLP_CPU_IS_NARROW /* as in short_table.h */

/* Serves every row that is due; one is. Context: the cell's handler, interrupts masked. */
static inline __attribute__((always_inline)) void
hrli_counted_table_serve(struct hrli_counted_table *table, uint32_t alone)
{
    HRLP_CONST struct hrli_line_row *row = table->row;

    do {
        uint16_t gap = hrlp_cpu_load_low_const(&row->gap);

        if (__builtin_expect(gap == 0, 0)) {
            row = row->parts->is.next;
            gap = hrlp_cpu_load_low_const(&row->gap);
        }
        table->left = (uint16_t)(table->left + gap);
        table->row = row + 1;
        hrli_short_row_serve(&table->row, alone);
        row = table->row;
    } while (__builtin_expect((int16_t)table->left < 0, 0));
}

/*
 * A release of the task on `line`, every `gap` interrupts, by an interrupt that is late: the job waits until all
 * instants that have passed are counted. Context: as above.
 */
static inline __attribute__((always_inline)) void
hrli_counted_task_raise(struct hrli_counted_task *task, uint16_t gap, unsigned line)
{
    const uint16_t bit = (uint16_t)(1u << line);
    uint16_t raise = bit;

    task->left = (uint16_t)(task->left + gap);
    if ((hrlp_line_open_masked() & bit) != 0) {
        raise = (uint16_t)hrli_line_overrun_alone(bit, bit);
    }
    hrlp_line_raise_masked(raise);
}

/*
 * A release of the task on `line`, every `gap` interrupts. Runs its job, with interrupts enabled, if nothing
 * more urgent runs or waits. Context: as above.
 */
static inline __attribute__((always_inline)) void
hrli_counted_task_serve(struct hrli_counted_task *task, uint16_t gap, unsigned line,
                        void (*handler)(void))
{
    const uint16_t bit = (uint16_t)(1u << line);

    if (__builtin_expect((hrlp_line_open_masked() & bit) != 0, 0)) {
        hrli_counted_task_raise(task, gap, line); /* an overrun */
        return;
    }
    task->left = (uint16_t)(task->left + gap);
    hrlp_line_serve_masked(line, handler);
}

#endif

#endif
