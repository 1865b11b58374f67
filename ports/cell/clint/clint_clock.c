/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clint.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"

HRLP_PER_CORE struct hrlp_clint hrlp_clint = {.due = HRLP_CLINT_NEVER};

void hrlp_clock_start(void)
{
    hrlp_clint.wraps = 0;
    HRLP_CLINT_TIME[0] = 0;
    HRLP_CLINT_TIME[1] = 0;
    HRLP_CLINT_TIME[0] = 0; /* in case the first one wrapped since */
    hrlp_clint_set_compare();
    hrlp_irq_enable_at(HRLP_CLINT_LINE, HRLP_IRQ_OF_CELLS);
}
