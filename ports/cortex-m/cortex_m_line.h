/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORTEX_M_LINE_H
#define HRLP_CORTEX_M_LINE_H

#include "cortex_m_vectors.h"
#include "hrlp_start_controller.h"

/*
 * What entries of a vector table lead to that nothing else takes. These are definitions, for one source of a firmware:
 * that of the table, or own-vectors/begin.c. The table's cannot be linked from a source of their own, for its weak
 * names are aliases, and an alias is of what its own source defines.
 */
#define HRLP_CORTEX_M_OR_FAULT __attribute__((weak, alias("fault_alias")))

__attribute__((naked, used)) static void fault_alias(void)
{
    __asm__ volatile(HRLP_CORTEX_M_JUMP("hrlp_fault_handler"));
}

/*
 * Lines without a handler defined by name enter here. The kernel's part is linked where a handler
 * is attached; without it the fault handler finds everything as the hardware left it.
 */
HRLP_CORTEX_M_OR_FAULT void hrli_interrupt_taken(void); /* takes the exception's number, in r0 */

__attribute__((naked, used)) void hrlp_cortex_m_line(void)
{
    __asm__ volatile("mrs r0, ipsr\n\t" HRLP_CORTEX_M_JUMP("hrli_interrupt_taken"));
}

#endif
