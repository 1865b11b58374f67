/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SHORT_TABLE_H
#define HRLI_SHORT_TABLE_H

#include "line_table.h"

/*
 * line_table.h for processors on which 32 bits are many instructions (HRLP_CPU_IS_NARROW), and where handlers of
 * cells run with interrupts masked: of a table's instant only the lower 16 bits are kept, where from one row to the
 * next are few enough counts.
 *
 * An interrupt that is late by 2^16 counts less what rows lie ahead is not in time; there the clock itself, which
 * counts what its 16-bit counter wraps, is wrong.
 */
#define HRLI_SHORT_AHEAD 0x4000u

/* Whether tables with rows at most `ahead` counts from each other, a constant, are short. */
static inline bool hrli_short_table(uint32_t ahead)
{
    return HRLP_CPU_IS_NARROW && ahead <= HRLI_SHORT_AHEAD;
}

#if HRLP_CPU_IS_NARROW /* as only these ports have what it calls of the controller */

/* hrli_line_parts_release, out of line: tasks that share a line. Context: the cell's handler, interrupts masked. */
void hrli_short_parts_release(HRLP_CONST struct hrli_line_part *head);

/*
 * Releases the tasks of the row in front of `table_row`, which is reloaded after the calls, so that the usual case
 * keeps no registers. Context: the cell's handler, interrupts masked.
 */
static inline __attribute__((always_inline)) void
hrli_short_row_serve(HRLP_CONST struct hrli_line_row *const *table_row, uint32_t alone)
{
    HRLP_CONST struct hrli_line_part *head = (*table_row)[-1].parts;
    uint16_t raise;

    if (__builtin_expect(head[1].words != NULL, 0)) {
        hrli_short_parts_release(head);
        head = (*(HRLP_CONST struct hrli_line_row *const volatile *)table_row)[-1].parts;
    }
    raise = hrlp_cpu_load_low_const(&head->is.bits);
    if (alone != 0) {
        uint16_t late = (uint16_t)(raise & (uint16_t)alone & hrlp_line_open_masked());

        if (__builtin_expect(late != 0, 0)) {
            raise = (uint16_t)hrli_line_overrun_alone(raise, late);
        }
    }
    hrlp_line_raise_masked(raise);
}

/* hrli_line_table_interrupt of a short table. Context: the cell's handler, acknowledged, interrupts masked. */
static inline __attribute__((always_inline)) void
hrli_short_table_interrupt(struct hrli_line_table *table, uint32_t alone, uint32_t ahead)
{
    HRLP_CONST struct hrli_line_row *row = table->row;
    uint16_t due = hrlp_cpu_load_low(&table->due);

    while ((uint16_t)(hrlp_clock_read_low() - due) < (uint16_t)(0u - (uint16_t)ahead)) {
        uint16_t gap = hrlp_cpu_load_low_const(&row->gap);

        if (__builtin_expect(gap == 0, 0)) {
            row = row->parts->is.next;
            gap = hrlp_cpu_load_low_const(&row->gap);
        }
        due = (uint16_t)(due + gap);
        hrlp_cpu_store_low(&table->due, due);
        table->row = row + 1;
        hrli_short_row_serve(&table->row, alone);
        row = table->row;
    }
}

/* Arms a cell for the table's next instant. Context: the cell's handler. */
static inline __attribute__((always_inline)) void
hrli_short_table_arm(const struct hrli_line_table *table,
                     void (*arm_near)(uint16_t now, uint16_t left), void (*arm)(hrl_stamp due))
{
    uint16_t now = hrlp_clock_read_low();
    uint16_t left =
        (uint16_t)(hrlp_cpu_load_low(&table->due) + (uint16_t)HRLP_CELL_EARLY_COUNTS - now);

    if (__builtin_expect((uint16_t)(left - 1u) < (uint16_t)INT16_MAX, 1)) {
        arm_near(now, left);
    } else { /* it has passed */
        arm(hrlp_clock_read() + (hrl_stamp)(int32_t)(int16_t)left);
    }
}

#endif

#endif
