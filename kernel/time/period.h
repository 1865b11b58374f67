/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_PERIOD_H
#define HRLI_PERIOD_H

#include <hrl/objects.h>

/*
 * A period as the kernel steps it, exact for ever.
 *
 * The period is hops * 2^30 + counts + numerator / denominator counts. The fraction accumulates, so
 * that release k falls at floor(offset + k * period) counts: never a count off, after any number of
 * periods. Hops keep each single step inside the horizon of a stamp.
 *
 * Ranges: 0 < counts <= 2^30, numerator < denominator < 2^31 (numerator 0: no fraction).
 */
#define HRLI_PERIOD_HOP_COUNTS ((uint32_t)1 << 30)

/* The first of the steps, none longer than a hop, that make `span`, which is not 0. */
static inline uint32_t hrli_period_step(hrl_counts span)
{
    return span > HRLI_PERIOD_HOP_COUNTS ? HRLI_PERIOD_HOP_COUNTS : (uint32_t)span;
}

/* How many steps of a hop come before the last one of `span`, which is not 0 and at most 2^62. */
static inline uint32_t hrli_period_hops(hrl_counts span)
{
    uint32_t high, low;

    if (UINTPTR_MAX >= UINT32_MAX) {
        return (uint32_t)((span - 1u) / HRLI_PERIOD_HOP_COUNTS);
    }
    span--; /* an 8-bit processor has calls and loops for shifts of 64 bits */
    high = (uint32_t)(span >> 32);
    low = (uint32_t)span;
    return high << 2 | low >> 30;
}

/* The stamp one period, hops apart, after `stamp`; `numerator` is the period's, not 0. */
static inline hrl_stamp hrli_period_advance_parts(struct hrli_period *period, hrl_stamp stamp,
                                                  uint32_t numerator)
{
    stamp += period->counts;
    period->accumulated += numerator;
    if (period->accumulated >= period->denominator) {
        period->accumulated -= period->denominator;
        stamp++;
    }
    return stamp;
}

/* The stamp one period, hops apart, after `stamp`. */
static inline hrl_stamp hrli_period_advance(struct hrli_period *period, hrl_stamp stamp)
{
    return period->numerator != 0 ? hrli_period_advance_parts(period, stamp, period->numerator)
                                  : stamp + period->counts;
}

/*
 * Moves `period` on by the `number` of periods, as many as end within `span` counts, less than
 * 2^63; returns the counts that these take together. Cost: two steps for each bit of the number, no
 * division.
 */
hrl_counts hrli_period_skip(struct hrli_period *period, hrl_counts span, uint64_t *number);

#endif
