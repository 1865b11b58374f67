/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CONVERT_H
#define HRLI_CONVERT_H

#include "hrlp_cpu.h"
#include <hrl/types.h>

/*
 * Between counts of a clock and nanoseconds, by multiplication only.
 *
 * A ratio is kept as a whole part and a fraction of 2^64, rounded up, so that a result is that of
 * exact arithmetic or, where exact arithmetic ends less than `value` / 2^64 below a whole number,
 * that number. Both ways the error is below one count, and both ways are monotone. Ranges: clocks
 * from 1 Hz to 1 GHz, values below 2^63 on either side: more than 100 years. Cost: four
 * multiplications of 32 bits for the fraction, two for the whole part, none for a part that is 0.
 * Context: any.
 */
struct hrli_ratio {
    uint32_t whole;
    uint64_t fraction; /* of 2^64 */
};

#define HRLI_NS_PER_S 1000000000u

/* floor(n * 2^32 / d), and what is left; n < d < 2^32. */
#define HRLI_DIGIT(n, d) ((((uint64_t)(n)) << 32) / (d))
#define HRLI_REST(n, d) ((((uint64_t)(n)) << 32) % (d))

/* The constant n / d, 0 < n, d < 2^32. */
#define HRLI_RATIO(n, d)                                                                           \
    {                                                                                              \
        (uint32_t)((n) / (d)), (HRLI_DIGIT((n) % (d), d) << 32) +                                  \
                                   HRLI_DIGIT(HRLI_REST((n) % (d), d), d) +                        \
                                   (HRLI_REST(HRLI_REST((n) % (d), d), d) != 0)                    \
    }

/* Nanoseconds a count, and counts a nanosecond, of a clock of `hz`. */
#define HRLI_NS_PER_COUNT(hz) HRLI_RATIO(HRLI_NS_PER_S, (uint32_t)(hz))
#define HRLI_COUNTS_PER_NS(hz) HRLI_RATIO((uint32_t)(hz), HRLI_NS_PER_S)

/* The upper 64 bits of a product of 128. */
static inline uint64_t hrli_multiply_high(uint64_t a, uint64_t b)
{
    uint64_t low = hrlp_cpu_product((uint32_t)a, (uint32_t)b);
    uint64_t middle = hrlp_cpu_product((uint32_t)(a >> 32), (uint32_t)b) + (low >> 32);
    uint64_t other = hrlp_cpu_product((uint32_t)a, (uint32_t)(b >> 32)) + (uint32_t)middle;

    return hrlp_cpu_product((uint32_t)(a >> 32), (uint32_t)(b >> 32)) + (middle >> 32) +
           (other >> 32);
}

/*
 * `value` for a compiler that may not know it: of a multiplication by a constant it makes up to a
 * dozen shifts and additions, where the processor multiplies in one instruction.
 */
static inline uint32_t hrli_unknown(uint32_t value)
{
    __asm__("" : "+r"(value));
    return value;
}

static inline uint64_t hrli_scale(uint64_t value, struct hrli_ratio ratio)
{
    uint64_t scaled = 0;

    if (ratio.fraction != 0) {
        uint32_t low = hrli_unknown((uint32_t)ratio.fraction);
        uint32_t high = hrli_unknown((uint32_t)(ratio.fraction >> 32));
        scaled = hrli_multiply_high(value, (uint64_t)high << 32 | low);
    }
    if (ratio.whole != 0) {
        scaled += hrlp_cpu_product_low(value, hrli_unknown(ratio.whole));
    }
    return scaled;
}

#endif
