/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/alarm.h>

/*
 * The tests of alarms, with the starts as a processor of 8 bits has them: alarms with whole periods are whole_alarm.c's.
 */
static inline void start_as_seen(struct hrl_alarm *which, hrl_counts first, hrl_period period,
                                 uint32_t times)
{
    if (period.numerator == 0 && period.hops == 0) {
        hrli_alarm_start_whole(which, first, period.counts, times);
    } else {
        which->timeout.expire = hrli_alarm_expire;
        hrl_alarm_start_periodic(which, first, period, times);
    }
}

#define hrl_alarm_start_periodic start_as_seen
#define hrl_alarm_start(alarm, instant) hrli_alarm_start_whole(alarm, instant, 1u, 1u)

#define PERIODS 1000 /* with fractions, which are those of test_alarm.c */
#include "test_alarm.c"
