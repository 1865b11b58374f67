/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#define HRLI_OUT_OF_LINE /* here stands what the public header may replace */
#include "alarm_change.h"
#include "hrlp_clock.h"
#include "no_timeouts.h"
#include "short_alarm.h"
#include "stamp.h"
#include <hrl/alarm.h>

HRLI_MAY_HAVE_NO_TIMEOUTS;

/*
 * An alarm's node is in the store of time-outs while it runs. Only the store's owner changes an
 * alarm: the releaser that serves it, or the thread that uses it. A function that an alarm calls runs
 * as a part of either, so it finds the store its own, and the alarm that called it put in for the
 * next time already.
 *
 * An alarm that such a function starts in the past does not expire at once, as it might be the same
 * one: it owes its expiries until the function has returned.
 */

/* Sets the next expiry to `ahead` counts after `from`. Context: the alarm is not in the store. */
static void aim(struct hrl_alarm *alarm, hrl_stamp from, hrl_counts ahead)
{
    alarm->hops = hrli_period_hops(ahead);
    hrli_alarm_node(alarm)->key = from + (hrl_stamp)ahead - alarm->hops * HRLI_PERIOD_HOP_COUNTS;
}

/*
 * An expiry was `span` counts ago, and perhaps others since: returns how many they are, and how
 * many counts after it the next one comes, 0 if there is none.
 */
static uint32_t count_passed(struct hrl_alarm *alarm, hrl_counts span, hrl_counts *next)
{
    hrl_counts ahead = 0;
    uint64_t passed = 0; /* behind the first */

    if (alarm->left != 1u) {
        ahead = hrli_period_skip(&alarm->period, span, &passed);
    }
    passed++;
    if (alarm->left != 0) {
        if (passed >= alarm->left) {
            *next = 0;
            return alarm->left;
        }
        alarm->left -= (uint32_t)passed;
    }
    ahead += (hrl_counts)alarm->period.hops * HRLI_PERIOD_HOP_COUNTS;
    *next = ahead + hrli_period_advance(&alarm->period, 0);
    return passed > UINT32_MAX ? UINT32_MAX : (uint32_t)passed;
}

/*
 * The alarm, which is not in the store, expires at its key: sets the next one that has not passed
 * yet, if there is one, and returns how many have.
 */
static uint32_t step(struct hrl_alarm *alarm)
{
    struct hrli_queue_node *node = hrli_alarm_node(alarm);
    uint32_t expiries = 1;
    hrl_stamp now;

    if (alarm->left == 1u) {
        alarm->runs = false;
        return 1;
    }
    if (alarm->left != 0) {
        alarm->left--;
    }
    node->key = hrli_period_advance(&alarm->period, node->key);
    alarm->hops = alarm->period.hops;
    now = hrlp_clock_read();
    if (alarm->hops == 0 && !hrli_stamp_after(node->key, now)) {
        hrl_counts next;

        expiries += count_passed(alarm, now - node->key, &next);
        if (next == 0) {
            alarm->runs = false;
        } else {
            aim(alarm, node->key, next);
        }
    }
    return expiries;
}

void hrli_alarm_expire(struct hrli_called_timeout *timeout)
{
    struct hrl_alarm *alarm = (struct hrl_alarm *)timeout; /* its first member */
    struct hrli_queue_node *node = hrli_alarm_node(alarm);
    uint32_t expiries;

    if (alarm->hops != 0) {
        alarm->hops--;
        node->key += HRLI_PERIOD_HOP_COUNTS;
        hrli_short_alarm_note(alarm);
        (void)hrli_core_insert_timeout(node);
        return;
    }
    expiries = step(alarm);
    if (alarm->runs) {
        hrli_short_alarm_note(alarm);
        (void)hrli_core_insert_timeout(node);
    }
    hrli_alarm_act(alarm, expiries);
}

void hrl_alarm_start_periodic(struct hrl_alarm *alarm, hrl_counts first, hrl_period period,
                              uint32_t times)
{
    hrl_counts now, ahead;
    uint32_t expiries = 0;
    bool is_first = false;

    HRLI_CHECK_THREAD_OR_ALARM("hrl_alarm_start_periodic");
    HRLI_CHECK(times == 1u || (period.counts != 0 && period.hops >> 31 == 0),
               "hrl_alarm_start_periodic: the period is shorter than a count");
    HRLI_CHECK(alarm->act != NULL, "an alarm that is not initialised");
    hrli_alarm_begin_change();
    hrli_alarm_take_out(alarm);
    if (HRLI_ALARM_STARTS_SAY) {
        alarm->timeout.expire = hrli_alarm_expire;
    }
    alarm->period = period;
    hrli_short_alarm_prepare(alarm);
    alarm->left = times;
    alarm->expired = 0;
    now = hrl_now();
    ahead = first - now;
    if (first <= now) {
        expiries = count_passed(alarm, now - first, &ahead);
        ahead -= ahead != 0 ? now - first : 0;
    }
    HRLI_CHECK(ahead >> 62 == 0, "the alarm is more than 2^62 counts ahead");
    if (ahead != 0) {
        aim(alarm, (hrl_stamp)now, ahead);
        alarm->runs = true;
        hrli_short_alarm_note(alarm);
        is_first = hrli_core_insert_timeout(hrli_alarm_node(alarm));
    }
    if (expiries != 0) {
        hrli_alarm_owe(alarm, expiries);
    }
    hrli_alarm_end_change(is_first || expiries != 0);
}

void hrl_alarm_start(struct hrl_alarm *alarm, hrl_counts instant)
{
    HRLI_CHECK_THREAD_OR_ALARM("hrl_alarm_start");
    hrl_alarm_start_periodic(alarm, instant, (hrl_period)HRLI_ZERO, 1);
}

bool hrl_alarm_stop(struct hrl_alarm *alarm)
{
    bool ran;

    HRLI_CHECK_THREAD_OR_ALARM("hrl_alarm_stop");
    hrli_alarm_begin_change();
    ran = alarm->runs || alarm->owed != 0;
    hrli_alarm_take_out(alarm);
    hrli_alarm_end_change(false);
    return ran;
}

hrl_counts hrl_alarm_next(const struct hrl_alarm *alarm)
{
    hrl_counts next = HRL_FOREVER;
    hrlp_irq_state state;

    HRLI_CHECK_THREAD_OR_ALARM("hrl_alarm_next");
    state = hrlp_irq_lock(); /* it may expire at any moment */
    if (alarm->runs) {
        hrl_counts now = hrl_now();
        int32_t ahead = (int32_t)(alarm->timeout.node.key - (hrl_stamp)now);
        next = now + (hrl_counts)(int64_t)ahead + /* negative, if it is late or at a hop */
               (hrl_counts)alarm->hops * HRLI_PERIOD_HOP_COUNTS;
    }
    hrlp_irq_unlock(state);
    return next;
}
