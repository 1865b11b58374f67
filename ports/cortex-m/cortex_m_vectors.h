/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORTEX_M_VECTORS_H
#define HRLP_CORTEX_M_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

/* Exceptions below 16 are the processor's own. */
#define HRLP_IRQ_FIRST_LINE 16

/* The vectors of lines without a handler defined by name; the table lies where VTOR says. */
void hrlp_cortex_m_line(void);

/* In builds with HRL_TRACE, what handles each exception. */
extern void (*const hrlp_cortex_m_handlers[])(void);

static inline bool hrlp_irq_is_free(int line)
{
#if HRL_TRACE /* as the hardware's then has what records interrupts (ports/armv7m/trace) */
    return hrlp_cortex_m_handlers[16 + line] == hrlp_cortex_m_line;
#else
    const uint32_t *vectors = (const uint32_t *)*(volatile uint32_t *)0xE000ED08u;

    return vectors[16 + line] == (uint32_t)(uintptr_t)hrlp_cortex_m_line;
#endif
}

#endif
