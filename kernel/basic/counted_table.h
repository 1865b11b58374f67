/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_COUNTED_TABLE_H
#define HRLI_COUNTED_TABLE_H

#include "short_table.h"

/*
 * A short table (short_table.h) on a periodic cell whose handler has an entry that counts
 * (<device>_COUNTING_ENTRY): that subtracts the period from what is left until the next row, moves the cell on, and
 * comes here only if a row is due, or if it is late. So the clock is not read, and an interrupt that releases nothing
 * only counts.
 *
 * Source: the relative request queue of Periodic Timers Revisited, section III, with rows in place of alarms.
 */
struct hrli_counted_table {
    const struct hrli_line_row *row; /* the next one */
    uint16_t left; /* counts from the cell's last instant to the row, less 1; below 0: the row is due */
};

/* The `left` of a row `ahead` counts after the first instant of a cell with the period. */
#define HRLI_COUNTED_LEFT(ahead, period) ((uint16_t)((ahead) + (period)-1u))

#if HRLP_CPU_SHORTENS_ALARMS /* as in short_table.h */

/* Serves every row that is due; one is. Context: the cell's handler, interrupts masked. */
static inline __attribute__((always_inline)) void
hrli_counted_table_serve(struct hrli_counted_table *table, uint32_t alone)
{
    const struct hrli_line_row *row = table->row;

    do {
        uint16_t gap = hrlp_cpu_load_low(&row->gap);

        if (__builtin_expect(gap == 0, 0)) {
            row = row->parts->is.next;
            gap = hrlp_cpu_load_low(&row->gap);
        }
        table->left = (uint16_t)(table->left + gap);
        table->row = row + 1;
        hrli_short_row_serve(&table->row, alone);
        row = table->row;
    } while (__builtin_expect((int16_t)table->left < 0, 0));
}

/* Serves what was due at each instant of the cell that has passed. Context: as above. */
static inline void hrli_counted_table_catch_up(struct hrli_counted_table *table, uint32_t alone,
                                               uint16_t period, bool (*is_late)(void),
                                               void (*advance)(void))
{
    for (;;) {
        if ((int16_t)table->left < 0) {
            hrli_counted_table_serve(table, alone);
        }
        if (!is_late()) {
            return;
        }
        advance();
        table->left = (uint16_t)(table->left - period);
    }
}

#endif

#endif
