/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ALARM_CHANGE_H
#define HRLI_ALARM_CHANGE_H

#include "alarm_elsewhere.h"
#include "no_timeouts.h"
#include "short_alarm.h"
#include "wait.h"
#include <hrl/alarm.h>

/*
 * How an alarm is changed: what those with any period (alarm.c) and those with whole ones (whole_alarm.c) have in common.
 * Each of these files has its own copies, as an image seldom has both, and a compiler that sees them makes less code.
 */

static inline struct hrli_queue_node *hrli_alarm_node(struct hrl_alarm *alarm)
{
    return &alarm->timeout.node;
}

/* Does the alarm's action, then the expiries that others owe by it. Context: the store's owner. */
static __attribute__((unused)) void hrli_alarm_act(struct hrl_alarm *alarm, uint32_t expiries)
{
    hrli_core.alarms.acting = true;
    alarm->act(alarm, expiries);
    hrli_alarm_pay();
    hrli_core.alarms.acting = false;
}

/* Until hrli_alarm_end_change the store is the caller's, and no other thread runs. */
static __attribute__((unused)) void hrli_alarm_begin_change(void)
{
    HRLI_CHECK(hrli_core.timeouts != NULL, HRLI_NO_TIMEOUTS_REASON);
    if (!hrli_core.alarms.acting) {
        hrli_core_lock_dispatch();
        hrli_releaser_begin_use(hrli_core.timeouts->releaser);
    }
}

/* `serve`: a node may be due, or due before all others. */
static __attribute__((unused)) void hrli_alarm_end_change(bool serve)
{
    struct hrli_releaser *releaser = hrli_core.timeouts->releaser;

    if (!hrli_core.alarms.acting) { /* or it is going to be served in any case */
        hrli_releaser_end_use(releaser);
        if (serve || releaser->deferred) {
            hrli_releaser_catch_up(releaser);
        }
        if (HRLI_SMALL) {
            hrli_core_unlock_dispatch();
        } else {
            hrli_core_allow_dispatch(hrli_core.running->ready.priority);
        }
    }
}

/* Context: between hrli_alarm_begin_change and hrli_alarm_end_change. */
static __attribute__((unused)) void hrli_alarm_take_out(struct hrl_alarm *alarm)
{
    if (alarm->runs) {
        hrli_core.timeouts->remove(hrli_alarm_node(alarm));
        HRLP_SHOW(alarm->runs, false);
    }
    HRLP_SHOW(alarm->owed, 0u);
}

/*
 * Acts on the expiries that have passed before `alarm` was started. If this runs inside another alarm's
 * action, they are noted, and acted on after that action. Context: between hrli_alarm_begin_change and hrli_alarm_end_change.
 */
static __attribute__((unused)) void hrli_alarm_owe(struct hrl_alarm *alarm, uint32_t expiries)
{
    struct hrl_alarm **link = &hrli_core.alarms.owing;

    if (!hrli_core.alarms.acting) {
        hrli_alarm_act(alarm, expiries);
        return;
    }
    HRLP_SHOW(alarm->owed, expiries);
    if (!alarm->in_list) {
        while (*link != NULL) {
            link = &(*link)->next_owed;
        }
        *link = alarm;
        alarm->next_owed = NULL;
        alarm->in_list = true;
    }
}

#endif
