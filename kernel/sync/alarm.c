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
 *
 * With several cores the store is that of the alarm's core. Others ask that core (alarm_elsewhere.h).
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
        HRLP_SHOW(alarm->runs, false);
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
            HRLP_SHOW(alarm->runs, false);
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

    if (hrli_alarm_is_asked(alarm)) { /* what its core's next dispatch does comes before that */
        HRLP_SHOW(alarm->runs, false);
        return;
    }
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

/*
 * Puts the alarm, taken out, in for its first expiry to come, and in *is_first whether its is now the first node: returns
 * how many expiries have passed. Context: between hrli_alarm_begin_change and hrli_alarm_end_change.
 */
static inline __attribute__((always_inline)) uint32_t
put_in(struct hrl_alarm *alarm, hrl_counts first, const hrl_period *period, uint32_t times,
       bool *is_first)
{
    hrl_counts now, ahead;
    uint32_t expiries = 0;

    if (HRLI_ALARM_STARTS_SAY) {
        alarm->timeout.expire = hrli_alarm_expire;
    }
    alarm->period = *period;
    hrli_short_alarm_prepare(alarm);
    alarm->left = times;
    if (HRL_CORES == 1) { /* else it was done under the lock of services */
        alarm->expired = 0;
    }
    now = hrl_now();
    ahead = first - now;
    if (first <= now) {
        expiries = count_passed(alarm, now - first, &ahead);
        ahead -= ahead != 0 ? now - first : 0;
    }
    HRLI_CHECK(ahead >> 62 == 0, "the alarm is more than 2^62 counts ahead");
    if (ahead != 0) {
        aim(alarm, (hrl_stamp)now, ahead);
        HRLP_SHOW(alarm->runs, true);
        hrli_short_alarm_note(alarm);
        *is_first = hrli_core_insert_timeout(hrli_alarm_node(alarm));
    } else if (HRL_CORES > 1) { /* where it has been said already that it runs */
        HRLP_SHOW(alarm->runs, false);
    }
    return expiries;
}

void hrl_alarm_start_periodic(struct hrl_alarm *alarm, hrl_counts first, hrl_period period,
                              uint32_t times)
{
    uint32_t expiries;
    bool is_first = false;

    HRLI_CHECK_THREAD_OR_ALARM("hrl_alarm_start_periodic");
    HRLI_CHECK(times == 1u || (period.counts != 0 && period.hops >> 31 == 0),
               "hrl_alarm_start_periodic: the period is shorter than a count");
    HRLI_CHECK(alarm->act != NULL, "an alarm that is not initialised");
    hrli_alarm_begin_change();
    if (hrli_alarm_start_elsewhere(alarm, first, &period, times)) {
        hrli_alarm_end_change(false);
        return;
    }
    hrli_alarm_take_out(alarm);
    expiries = put_in(alarm, first, &period, times, &is_first);
    if (expiries != 0) {
        hrli_alarm_owe(alarm, expiries);
    }
    hrli_alarm_end_change(is_first || expiries != 0);
}

#if HRL_CORES > 1 /* as only then others ask for it */
bool hrli_alarm_do(struct hrl_alarm *alarm, const struct hrli_alarm_asked *asked, bool is_in)
{
    uint32_t expiries;
    bool is_first = false;

    if (is_in) {
        hrli_core.timeouts->remove(hrli_alarm_node(alarm));
    }
    HRLP_SHOW(alarm->owed, 0u);
    if (asked->what != HRLI_ALARM_TO_START) {
        return false;
    }
    expiries = put_in(alarm, asked->first, &asked->period, asked->times, &is_first);
    if (expiries != 0) {
        hrli_alarm_owe(alarm, expiries);
    }
    return is_first || expiries != 0;
}
#endif

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
    ran = HRLP_SEE(alarm->runs) || HRLP_SEE(alarm->owed) != 0;
    if (!hrli_alarm_stop_elsewhere(alarm, &ran)) {
        hrli_alarm_take_out(alarm);
    }
    hrli_alarm_end_change(false);
    return ran;
}

hrl_counts hrl_alarm_next(const struct hrl_alarm *alarm)
{
    hrl_counts next = HRL_FOREVER;
    hrlp_irq_state state;

    HRLI_CHECK_THREAD_OR_ALARM("hrl_alarm_next");
    HRLI_CHECK(hrli_alarm_is_here(alarm), "hrl_alarm_next: an alarm of another core");
    state = hrli_sync_lock(); /* it may expire at any moment */
    if (hrli_alarm_is_asked(alarm)) {
        next = hrli_alarm_asked_for(alarm);
    } else if (alarm->runs) {
        hrl_counts now = hrl_now();
        int32_t ahead = (int32_t)(alarm->timeout.node.key - (hrl_stamp)now);
        next = now + (hrl_counts)(int64_t)ahead + /* negative, if it is late or at a hop */
               (hrl_counts)alarm->hops * HRLI_PERIOD_HOP_COUNTS;
    }
    hrli_sync_unlock(state);
    return next;
}
