/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "period.h"

/*
 * Doubles the period until two of it would not fit, then halves it again and takes what fits.
 * Doubling moves a whole count from the fraction into the lowest bit, which says to halving what to
 * move back.
 */
hrl_counts hrli_period_skip(struct hrli_period *period, hrl_counts span, uint64_t *number)
{
    uint32_t denominator = period->denominator;
    hrl_counts whole = ((hrl_counts)period->hops << 30) + period->counts;
    uint32_t part = period->numerator;
    hrl_counts skipped = 0;
    uint64_t times = 1;

    for (; whole <= span / 2; times *= 2) {
        uint32_t carry = part != 0 && part >= denominator - part;

        whole = 2 * whole + carry;
        part = 2 * part - carry * denominator;
    }
    for (*number = 0;; times /= 2) {
        uint32_t carry = part != 0 && part >= denominator - period->accumulated;

        if (whole + carry <= span - skipped) {
            skipped += whole + carry;
            period->accumulated += part - carry * denominator;
            *number += times;
        }
        if (times == 1) {
            return skipped;
        }
        carry = (uint32_t)whole & 1u;
        whole /= 2;
        part = (part + carry * denominator) / 2;
    }
}
