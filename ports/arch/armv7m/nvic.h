/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NVIC_H
#define HRLP_NVIC_H

#include "hrlp_irq.h"
#include <stdint.h>

/*
 * The Nested Vectored Interrupt Controller: external lines by number (Armv7-M ARM, B3.4).
 */
static inline void hrlp_nvic_enable(unsigned line)
{
    ((volatile uint8_t *)0xE000E400u)[line] = HRLP_ARMV7M_KERNEL_PRIORITY;
    ((volatile uint32_t *)0xE000E100u)[line / 32u] = 1u << (line % 32u);
}

#endif
