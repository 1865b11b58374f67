/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_irq.h"

enum { TIMER_LINE = -7 };

void hrlp_clock_start(void)
{
    HRLP_TIMER_CELLS_WRAP[0] = 0;
    HRLP_TIMER_CELLS_WRAP[1] = 1;
    HRLP_TIMER_CELLS_SET_TIME[1] = 0;
    HRLP_TIMER_CELLS_SET_TIME[0] = 0; /* it had not wrapped: this is soon after reset */
    hrlp_irq_enable_at(TIMER_LINE, HRLP_IRQ_OF_CELLS);
}
