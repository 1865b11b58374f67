/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm_change.h"
#include "hrlp_clock.h"
#include "period.h"
#include "stamp.h"
#include <hrl/alarm.h>

HRLI_MAY_HAVE_NO_TIMEOUTS;

/*
 * Alarms with periods of whole counts, up to 2^30, or that expire once: what alarm.c does for all periods, in a fifth of
 * its code on a processor of 8 bits. <hrl/alarm.h> calls this where the compiler sees such a period. One core: no chip of
 * several has such a processor, and what is started here has no core for others to ask (alarm_elsewhere.h).
 */

#if HRL_CORES == 1 /* as said above */

/* A span and its halves: a shift of 64 bits is a call on such a processor. */
union span {
    hrl_counts counts;
    struct {
        uint32_t low;
        uint32_t high;
    } half;
};
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the lower half comes first");

/*
 * The alarm has expired `span` counts ago, and perhaps since: returns how often, and in *ahead in how many counts
 * it does again, 0 for never. Cost: if another has passed, 64 steps.
 */
static uint32_t count_passed(struct hrl_alarm *alarm, const union span *span, uint32_t *ahead)
{
    const uint32_t counts = alarm->period.counts;
    uint32_t rest = 0, low = span->half.low, high = span->half.high;
    uint8_t bits = 64;

    *ahead = 0;
    if (alarm->left == 1u) {
        return 1;
    }
    if (high == 0 && low < counts) { /* as usual: no other has passed */
        rest = low;
        low = 0;
        bits = 0;
    }
    for (; bits != 0; bits--) { /* a long division: the quotient comes in from below */
        rest += rest + ((int32_t)high < 0);
        high += high + ((int32_t)low < 0);
        low += low;
        if (rest >= counts) {
            rest -= counts;
            low++;
        }
    }
    low++; /* and the first */
    if (high != 0 || low == 0) {
        low = UINT32_MAX;
    }
    if (alarm->left != 0) {
        if (low >= alarm->left) {
            return alarm->left;
        }
        alarm->left -= low;
    }
    *ahead = counts - rest;
    return low;
}

/* Puts the alarm in, to expire `ahead` counts after `from`; returns whether it is the first. */
static bool put_in(struct hrl_alarm *alarm, hrl_stamp from, uint32_t ahead)
{
    alarm->timeout.node.key = from + ahead;
    alarm->runs = true;
    hrli_short_alarm_note(alarm);
    return hrli_core_insert_timeout(&alarm->timeout.node);
}

void hrli_whole_alarm_expire(struct hrli_called_timeout *timeout)
{
    struct hrl_alarm *alarm = (struct hrl_alarm *)timeout; /* its first member */
    hrl_stamp from = timeout->node.key;
    uint32_t expiries = 0, ahead = HRLI_PERIOD_HOP_COUNTS;

    if (alarm->hops != 0) {
        alarm->hops--;
    } else {
        hrl_stamp now = hrlp_clock_read();
        union span span = {0};

        alarm->runs = false;
        if (!hrli_stamp_after(from, now)) { /* else it is served early */
            span.half.low = now - from;
            from = now;
        }
        expiries = count_passed(alarm, &span, &ahead);
    }
    if (ahead != 0) {
        (void)put_in(alarm, from, ahead);
    }
    if (expiries != 0) {
        hrli_alarm_act(alarm, expiries);
    }
}

void hrli_alarm_start_whole(struct hrl_alarm *alarm, hrl_counts first, uint32_t counts,
                            uint32_t times)
{
    union span span;
    uint32_t now, expiries = 0, ahead;
    bool is_first = false;

    HRLI_CHECK_THREAD_OR_ALARM("hrl_alarm_start");
    HRLI_CHECK(times == 1u || counts != 0,
               "hrl_alarm_start_periodic: the period is shorter than a count");
    HRLI_CHECK((int64_t)first >= 0, "the alarm is more than 2^62 counts ahead");
    HRLI_CHECK(alarm->act != NULL, "an alarm that is not initialised");
    hrli_alarm_begin_change();
    hrli_alarm_take_out(alarm);
    alarm->timeout.expire = hrli_whole_alarm_expire;
    alarm->period = (struct hrli_period){.counts = counts};
    alarm->left = times;
    alarm->expired = 0;
    span.counts = hrl_now();
    now = span.half.low;
    span.counts -= first;
    if ((int32_t)span.half.high < 0) { /* it is to come */
        span.counts = ~span.counts;    /* the counts before the last one */
        HRLI_CHECK(span.half.high >> 30 == 0, "the alarm is more than 2^62 counts ahead");
        alarm->hops = span.half.high << 2 | span.half.low >> 30;
        ahead = (span.half.low & (HRLI_PERIOD_HOP_COUNTS - 1u)) + 1u;
    } else {
        alarm->hops = 0;
        expiries = count_passed(alarm, &span, &ahead);
    }
    if (ahead != 0) {
        is_first = put_in(alarm, now, ahead);
    }
    if (expiries != 0) {
        hrli_alarm_owe(alarm, expiries);
    }
    hrli_alarm_end_change(is_first || expiries != 0);
}

#endif
