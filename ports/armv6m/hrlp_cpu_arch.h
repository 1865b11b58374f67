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

/* MULS gives the lower word of a product. */
#include "hrlp_halves_product.h"

/* Armv6-M has no CLZ. Branches, as low levels are the usual ones; the four bits that are left are looked up. */
#define HRLP_CPU_SEARCHES_BITS true

extern const uint8_t hrlp_armv6m_highest_bits[16]; /* of 1 to 15 */

static inline unsigned hrlp_cpu_highest_bit(uint32_t bits)
{
    unsigned number = 0;

    if (bits >> 16 != 0) {
        number = 16;
        bits >>= 16;
    }
    if (bits >> 8 != 0) {
        number += 8;
        bits >>= 8;
    }
    if (bits >> 4 != 0) {
        number += 4;
        bits >>= 4;
    }
    return number + hrlp_armv6m_highest_bits[bits];
}

/* 16 bits an instruction: most reach eight registers, and 124 bytes beyond a pointer. */
#define HRLP_CPU_IS_SHORT 1

/* And no linked loads. */
#include "hrlp_no_links.h"

#include "hrlp_no_leave.h"

#endif
