/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_HALVES_PRODUCT_H
#define HRLP_HALVES_PRODUCT_H

#include <stdint.h>

/*
 * hrlp_cpu_product of a port on a processor that multiplies words to words only: of halves. No sum here is 2^32 or
 * more.
 */
static inline uint64_t hrlp_cpu_product(uint32_t a, uint32_t b)
{
    uint32_t a_low = a & 0xFFFFu, a_high = a >> 16, b_low = b & 0xFFFFu, b_high = b >> 16;
    uint32_t low = a_low * b_low;
    uint32_t middle = a_high * b_low + (low >> 16);
    uint32_t other = a_low * b_high + (middle & 0xFFFFu);

    return (uint64_t)(a_high * b_high + (middle >> 16) + (other >> 16)) << 32 | other << 16 |
           (low & 0xFFFFu);
}

static inline uint64_t hrlp_cpu_product_low(uint64_t a, uint32_t b)
{
    return hrlp_cpu_product((uint32_t)a, b) + ((uint64_t)((uint32_t)(a >> 32) * b) << 32);
}

#endif
