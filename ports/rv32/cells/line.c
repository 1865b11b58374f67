/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include "hrlp_upcalls.h"

/* Called by hrlp_rv32_line_entry (switch.S). */
void hrlp_rv32_line(void);

void hrlp_rv32_line(void)
{
    hrli_interrupt_taken((int)HRLP_RV32_ACTIVE_SOURCE);
}

/* Linked if the application attaches no handler. */
__attribute__((weak)) void hrli_interrupt_taken(int line)
{
    hrlp_irq_unhandled(line);
}

bool hrlp_rv32_overran(int line)
{
    return hrlp_line_overran_alone(line);
}
