/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"

/* What hrlp_rv32_line_entry (switch.S) calls. */
void hrlp_rv32_line(void);

void hrlp_rv32_line(void)
{
    hrli_interrupt_taken((int)HRLP_RV32_ACTIVE_SOURCE);
}

/* Linked if nobody attached a handler. */
__attribute__((weak)) void hrli_interrupt_taken(int line)
{
    hrlp_irq_unhandled(line);
}
