/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cell that interrupts at the greatest common divisor of all periods and offsets, and counts down to the next
 * release.
 */
#include "notify.h"

const TickType_t baseline_start = HRL_GEN_CELL_START;

BASELINE_HANDLER(HRL_GEN_CELL_HANDLER)
{
    BaseType_t switches;

    HRL_GEN_CELL(acknowledge)(HRL_GEN_CELL_CHANNEL);
    if (--baseline_first->after == 0) {
        switches = baseline_release_due();
        BASELINE_YIELD(switches);
    }
}

void baseline_start_cell(void)
{
#ifdef HRLP_CELLS_NEED_THE_CLOCK /* its first wrap comes after what is measured */
    hrlp_clock_start();
#endif
    HRL_GEN_CELL(start_periodic)
    (HRL_GEN_CELL_CHANNEL, hrlp_clock_read() + HRL_GEN_CELL_COUNTS, HRL_GEN_CELL_COUNTS);
}
