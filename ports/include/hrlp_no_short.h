/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_SHORT_H
#define HRLP_NO_SHORT_H

/* hrlp_cpu.h of a port on which 32 bits are not dear: expiries of alarms have one way. */
#define HRLP_CPU_SHORTENS_ALARMS 0

static inline uint16_t hrlp_cpu_load_low(const uint32_t *word)
{
    return (uint16_t)*word;
}

static inline uint16_t hrlp_cpu_load_low_const(HRLP_CONST uint32_t *word)
{
    return (uint16_t)*word;
}

static inline void hrlp_cpu_store_low(uint32_t *word, uint16_t low)
{
    *word = (*word & 0xFFFF0000u) | low;
}

#endif
