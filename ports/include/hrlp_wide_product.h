/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_WIDE_PRODUCT_H
#define HRLP_WIDE_PRODUCT_H

#include <stdint.h>

/* hrlp_cpu_product and hrlp_cpu_product_low as compilers make them. */
static inline uint64_t hrlp_cpu_product(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

static inline uint64_t hrlp_cpu_product_low(uint64_t a, uint32_t b)
{
    return a * b;
}

#endif
