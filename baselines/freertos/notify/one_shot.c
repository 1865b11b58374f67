/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cell that interrupts at the instants of releases only, for periods with a common divisor that is too fine to
 * interrupt at. Times are counts of the clock, so no release drifts. Its first interrupt is t = 0, whether or not
 * a task is due then.
 */
#include "notify.h"

const TickType_t baseline_start;

static hrl_stamp served;  /* the instant of the last interrupt */
static TickType_t waited; /* up to the next interrupt */

BASELINE_HANDLER(HRL_GEN_CELL_HANDLER)
{
    BaseType_t switches = pdFALSE;

    HRL_GEN_CELL(acknowledge)(HRL_GEN_CELL_CHANNEL);
    baseline_first->after -= waited;
    if (baseline_first->after == 0) {
        switches = baseline_release_due();
    }
    waited = baseline_first->after;
    served += waited;
    HRL_GEN_CELL(arm)(HRL_GEN_CELL_CHANNEL, served);
    BASELINE_YIELD(switches);
}

#ifdef HRL_GEN_CLOCK_HANDLER /* a wide clock has none */
BASELINE_HANDLER(HRL_GEN_CLOCK_HANDLER)
{ /* of its wrap, which changes no difference of stamps */
    HRL_GEN_CLOCK(acknowledge)(HRL_GEN_CLOCK_CHANNEL);
}
#endif

void baseline_start_cell(void)
{
    hrlp_clock_start();
    served = HRL_GEN_CELL_START_COUNTS;
    HRL_GEN_CELL(arm)(HRL_GEN_CELL_CHANNEL, served);
}
