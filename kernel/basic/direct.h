/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DIRECT_H
#define HRLI_DIRECT_H

#include "direct_task.h"
#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include "hrlp_trace.h"
#include "line_words.h"
#include "overrun.h"
#include "resource_check.h"
#include "stamp.h"

/*
 * Cells with tasks of one level only: the cell interrupts at that level, and its handler is the
 * dispatch. So a release never disturbs a more urgent task.
 */

/*
 * Serves a cell that has one task (direct_task.h). The clock is not read before the body; the
 * reading after the body tells whether the next release came too early. `body` is the task's. Context:
 * the cell's handler, acknowledged.
 */
static inline __attribute__((always_inline)) void
hrli_direct_interrupt(const struct hrli_direct *direct, void (*body)(void))
{
    const uint32_t ahead = hrli_stamp_round_up(direct->period); /* a constant */
    hrl_stamp next;

    hrli_resource_checked(body);
    hrlp_trace_served(direct->due, *direct->due + HRLP_CELL_EARLY_COUNTS);
    next = *direct->due + direct->period;
    *direct->due = next;
    if (__builtin_expect(hrli_stamp_has_passed(next, hrlp_clock_read(), ahead), 0)) {
        hrli_direct_overrun(direct);
    }
}

/*
 * Several tasks, on a cell of either mode: rows as those of line_table.h, but of one line's bits.
 * Before each job the clock is asked, so that what falls due by then is an overrun exactly if its
 * task has not ended. The line is the cell's own; the rest of the system may activate these tasks
 * by it, too.
 */
struct hrli_direct_row {
    uint32_t gap;  /* counts to the next row's instant, below 2^31 */
    uint32_t bits; /* 0: behind the last */
};

struct hrli_direct_table {
    HRLP_CONST struct hrli_direct_row *row; /* the next one */
    hrl_stamp due;                          /* HRLI_LINE_TABLE_DUE of its instant */
    struct hrli_line_words words;
};

/*
 * Releases the tasks of a row; returns the row that follows. Context: the cell's handler.
 */
static inline __attribute__((always_inline)) HRLP_CONST struct hrli_direct_row *
hrli_direct_row_release(struct hrli_direct_table *table, HRLP_CONST struct hrli_direct_row *row,
                        HRLP_CONST struct hrli_direct_row *cycle, bool shared)
{
    hrlp_irq_state state = shared ? hrlp_irq_lock() : HRLP_IRQ_UNLOCKED;
    uint32_t bits = row->bits;
    uint32_t late = hrli_line_ready(&table->words) & bits;

    hrlp_trace_served(table, table->due + HRLP_CELL_EARLY_COUNTS);
    table->due += row->gap;
    if (__builtin_expect(late != 0, 0)) {
        bits = hrli_line_overrun(&table->words, bits, late);
    }
    hrli_line_release(&table->words, bits);
    if (shared) {
        hrlp_irq_unlock(state);
    }
    row++;
    return row->bits == 0 ? cycle : row;
}

/*
 * `cycle` is the row that follows the last; `shared` says whether anything else activates tasks of
 * this table. All are constants, as is `bodies`, by rank; `ahead` as for hrli_line_table_interrupt.
 * Context: the cell's handler, acknowledged.
 */
static inline __attribute__((always_inline)) void
hrli_direct_table_interrupt(struct hrli_direct_table *table,
                            HRLP_CONST struct hrli_direct_row *cycle, void (*const *bodies)(void),
                            bool shared, uint32_t ahead)
{
    HRLP_CONST struct hrli_direct_row *row = table->row;
    uint32_t ended = 0; /* its task has just ended, and is ready until the clock was asked */

    for (;;) {
        uint32_t ready;
        uint32_t rank;

        while (hrli_stamp_has_passed(table->due, hrlp_clock_read(), ahead)) {
            row = hrli_direct_row_release(table, row, cycle, shared);
            table->row = row;
        }
        table->words.done ^= ended;
        ready = hrli_line_ready(&table->words);
        if (ready == 0) {
            return;
        }
        rank = 31u - hrlp_cpu_highest_bit(ready);
        ended = hrli_line_bit(rank);
        table->words.current = rank;
        hrli_resource_checked(HRLP_CONST_AT(bodies)[rank]);
    }
}

#endif
