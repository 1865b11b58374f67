/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "short_alarm.h"

/* What the short way of alarms seldom needs; a program without it links none of this. */

void hrli_short_alarm_pay(void)
{
    hrli_alarm_pay();
}

void hrli_short_alarm_reduce(struct hrli_period *period)
{
    uint32_t divisor = period->denominator, rest = period->numerator;

    if (rest == 0 || divisor <= HRLI_SHORT_DENOMINATOR) {
        return;
    }
    while (rest != 0) {
        uint32_t next = divisor % rest;

        divisor = rest;
        rest = next;
    }
    if (period->denominator / divisor <= HRLI_SHORT_DENOMINATOR) {
        period->numerator /= divisor;
        period->denominator /= divisor;
        period->accumulated /= divisor; /* a part of the divisor makes no count, ever */
    }
}
