/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CPU_ARCH_H
#define HRLP_CPU_ARCH_H

#include "cortex_m_cpu.h"

static inline bool hrlp_cpu_is_negative(uint32_t a, uint32_t b)
{
    return ((a - b) & (uint32_t)1 << 31) != 0;
}

static inline bool hrlp_cpu_differ(uint32_t a, uint32_t b, uint32_t *bits)
{
    *bits = a ^ b;
    return *bits != 0;
}

/* Armv6-M has no CLZ. */
#include "hrlp_search_bits.h"
#define HRLP_CPU_SEARCHES_BITS true

/* And no linked loads. */
#include "hrlp_no_links.h"

#include "hrlp_no_leave.h"

#endif
