/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"
#include <stdint.h>

/*
 * switch.S calls this for the external interrupt. The claim returns the line, or 0 if its request
 * has gone since the interrupt.
 */
void hrlp_rv32_external(void);

void hrlp_rv32_external(void)
{
    uint32_t line = HRLP_RV32_PLIC_CLAIM;

    if (line != 0) {
        hrli_interrupt_taken((int)line);
        HRLP_RV32_PLIC_CLAIM = line;
    }
}

/* Linked if the application attaches no handler. */
__attribute__((weak)) void hrli_interrupt_taken(int line)
{
    hrlp_irq_unhandled(line);
}
