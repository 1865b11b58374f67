/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ALARM_ELSEWHERE_H
#define HRLI_ALARM_ELSEWHERE_H

#include "hrlp_cores.h"
#include "hrlp_per_core.h"
#include <hrl/alarm.h>
#include <stdbool.h>

/*
 * How a core starts and stops an alarm that is in another core's store. It writes down what it asks for, puts the
 * alarm into a list of that core, and rings there. That core does it at the beginning of its next dispatch, behind what
 * others have changed of its threads (kernel/thread/change_elsewhere.h): then no thread of it uses the store. What was
 * asked for last holds, so an alarm is in the list once. Until then the alarm's expiries do nothing. alarms.pml is a model
 * of that.
 *
 * Which core an alarm belongs to, what is asked for, and the list belong to the holder of the lock of services; the rest of
 * an alarm to its core. An alarm belongs to the core that starts it first.
 */
#if HRL_CORES > 1 /* as alarms have no such fields on one core */
enum hrli_alarm_what { HRLI_ALARM_AS_IT_IS, HRLI_ALARM_TO_STOP, HRLI_ALARM_TO_START };

/*
 * Whether `alarm` is another core's: then that is asked to start it. Otherwise it is this core's from now on, and what
 * others have asked for is off. Context: between hrli_alarm_begin_change and hrli_alarm_end_change.
 */
bool hrli_alarm_start_elsewhere(struct hrl_alarm *alarm, hrl_counts first, const hrl_period *period,
                                uint32_t times);

/*
 * The same to stop it; in *ran, whether it runs, or would if what was asked for were done. One that was never started is no
 * core's, and stays so: it is left alone, as another core's. Context: the same.
 */
bool hrli_alarm_stop_elsewhere(struct hrl_alarm *alarm, bool *ran);

/*
 * alarm.c: does what was asked for; whether something may be due. `is_in`: the alarm is in the store. Context: the dispatch,
 * the store is in use.
 */
bool hrli_alarm_do(struct hrl_alarm *alarm, const struct hrli_alarm_asked *asked, bool is_in);

/* Whether its core has something to do first. Context: that core, any. */
static inline bool hrli_alarm_is_asked(const struct hrl_alarm *alarm)
{
    return HRLP_SEE(alarm->asked.what) != HRLI_ALARM_AS_IT_IS;
}

/* When it expires then. Context: the lock of services is held. */
static inline hrl_counts hrli_alarm_asked_for(const struct hrl_alarm *alarm)
{
    return alarm->asked.what == HRLI_ALARM_TO_START ? alarm->asked.first : HRL_FOREVER;
}

/* Whether it belongs to this core, or to none yet. Context: any. */
static inline bool hrli_alarm_is_here(const struct hrl_alarm *alarm)
{
    return HRLP_SEE(alarm->home) == 0 || HRLP_SEE(alarm->home) == hrlp_core_number() + 1u;
}
#else
static inline bool hrli_alarm_start_elsewhere(struct hrl_alarm *alarm, hrl_counts first,
                                              const hrl_period *period, uint32_t times)
{
    (void)alarm;
    (void)first;
    (void)period;
    (void)times;
    return false;
}

static inline bool hrli_alarm_stop_elsewhere(struct hrl_alarm *alarm, bool *ran)
{
    (void)alarm;
    (void)ran;
    return false;
}

static inline bool hrli_alarm_is_asked(const struct hrl_alarm *alarm)
{
    (void)alarm;
    return false;
}

static inline hrl_counts hrli_alarm_asked_for(const struct hrl_alarm *alarm)
{
    (void)alarm;
    return HRL_FOREVER;
}

static inline bool hrli_alarm_is_here(const struct hrl_alarm *alarm)
{
    (void)alarm;
    return true;
}
#endif

#endif
