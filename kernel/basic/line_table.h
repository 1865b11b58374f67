/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_TABLE_H
#define HRLI_LINE_TABLE_H

#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include "hrlp_trace.h"
#include "line_words.h"
#include "overrun.h"
#include "stamp.h"
#include <stddef.h>

/*
 * Releaser of basic tasks: the release instants of a hyperperiod in order, each with the lines that
 * it raises. All tasks of an instant are released by one store to the controller's pending
 * register; for a line that tasks share, a word of the line is written before that.
 *
 * The cell's interrupt only says that it is time to look: the clock says which rows are due. So an
 * interrupt that was lost, as a more urgent task ran for longer than a period, is made up for, and
 * one for which no row is due costs a comparison. Its handler has the level of the most urgent task
 * that it releases, on a controller; where threads serve the lines, it has the cells' priority.
 *
 * An overrun is found here: a task that is to be released is still ready or runs.
 */

/*
 * Of the tasks of a line's words, those to release. A row's parts stand one behind another, behind a
 * head that has no words; so the next head is their end.
 */
struct hrli_line_part {
    struct hrli_line_words *words;
    union {
        uint32_t bits;                         /* of a head: the lines to raise, as a set */
        HRLP_CONST struct hrli_line_row *next; /* behind the last row: the one to go on with */
    } is;
};

/*
 * Rows stand one behind another, too. Behind the last comes one with a gap of 0; its only part
 * leads to the first row of the cycle.
 */
struct hrli_line_row {
    uint32_t gap;                            /* counts to the next row's instant, below 2^31 */
    HRLP_CONST struct hrli_line_part *parts; /* the head */
};

struct hrli_line_table {
    HRLP_CONST struct hrli_line_row *row; /* the next one */
    hrl_stamp due;                        /* HRLP_CELL_EARLY_COUNTS before its instant */
};

/* The `due` of a table with the first instant `first`, a constant. */
#define HRLI_LINE_TABLE_DUE(first) ((hrl_stamp)((first)-HRLP_CELL_EARLY_COUNTS))

/*
 * Releases the tasks of the parts behind the head `part`; their words are hrli_line_ends if `ends`.
 */
static inline __attribute__((always_inline)) void
hrli_line_parts_release(HRLP_CONST struct hrli_line_part *part, bool ends)
{
    struct hrli_line_words *words;

    while ((words = (++part)->words) != NULL) {
        uint32_t ended = ends ? ((const struct hrli_line_ends *)words)->ended : 0;
        uint32_t bits = part->is.bits & ~ended;
        uint32_t released = words->released;
        uint32_t late = (released ^ words->done) & bits;

        if (__builtin_expect(late != 0, 0)) {
            bits = hrli_line_overrun(words, bits, late);
            released = words->released; /* a catch-up task, and tasks that the hook has activated */
        }
        words->released = released ^ bits;
    }
}

/*
 * Returns which of the lines `raise` to raise: not those of `alone` with a task that has not ended.
 */
static inline __attribute__((always_inline)) uint32_t hrli_line_alone_release(uint32_t raise,
                                                                              uint32_t alone)
{
    uint32_t late = raise & alone;

    if (alone == 0) {
        return raise;
    }
    late &= hrlp_line_open();
    return __builtin_expect(late != 0, 0) ? hrli_line_overrun_alone(raise, late) : raise;
}

/*
 * Releases the tasks of a row, and raises those of their lines that are in `lines`; `ends` as for
 * hrli_line_parts_release, `alone` and `shared` as for hrli_line_table_interrupt.
 */
static inline __attribute__((always_inline)) void
hrli_line_row_serve(HRLP_CONST struct hrli_line_row *row, uint32_t alone, bool shared,
                    uint32_t lines, bool ends)
{
    hrlp_irq_state state = HRLP_IRQ_UNLOCKED;
    uint32_t raise = row->parts->is.bits & lines;

    if (shared) {
        state = hrlp_irq_lock();
    }
    hrli_line_parts_release(row->parts, ends);
    if (shared) {
        hrlp_irq_unlock(state);
    }
    hrlp_line_raise(hrli_line_alone_release(raise, alone));
}

/*
 * Serves every row that is due. `alone` are the lines of one task that have no words, `shared`
 * says whether an interrupt that comes into this one may write the same words, be it by another
 * releaser or by activating a task; from one row to the next are at most `ahead` counts. All are
 * constants. A handler that was kept from running for nearly 2^32 counts serves all rows. What falls
 * due while this runs has an interrupt of its own. Context: the cell's handler, acknowledged.
 */
static inline __attribute__((always_inline)) void
hrli_line_table_interrupt(struct hrli_line_table *table, uint32_t alone, bool shared,
                          uint32_t ahead)
{
    HRLP_CONST struct hrli_line_row *row = table->row;
    hrl_stamp due = table->due;
    hrl_stamp now = hrlp_clock_read();

    if (!hrli_stamp_has_passed(due, now, ahead)) {
        return;
    }
    do {
        if (__builtin_expect(row->gap == 0, 0)) {
            row = row->parts->is.next;
        }
        hrlp_trace_served(table, due + HRLP_CELL_EARLY_COUNTS);
        due += row->gap;
        hrli_line_row_serve(row, alone, shared, UINT32_MAX, false);
        row++;
    } while (hrli_stamp_has_passed(due, now, ahead));
    table->row = row;
    table->due = due;
}

#endif
