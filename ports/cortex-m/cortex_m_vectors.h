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

static inline bool hrlp_irq_is_free(int line)
{
    const uint32_t *vectors = (const uint32_t *)*(volatile uint32_t *)0xE000ED08u;

    return vectors[16 + line] == (uint32_t)(uintptr_t)hrlp_cortex_m_line;
}

#endif
