/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_CLOCK_COUNTER_H
#define HRL_CLOCK_COUNTER_H

#include <hrl/alarm.h>
#include <hrl/counter.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Defines a clock counter: its value is that of hrl_now, modulo 2^32. It has an alarm (hrl/alarm.h), so the
 * system has a cell for time-outs. At file scope.
 *
 *     HRL_CLOCK_COUNTER_DEFINE(by_time);
 */
#define HRL_CLOCK_COUNTER_DEFINE(counter_name)                                                     \
    extern struct hrl_counter counter_name;                                                        \
    HRL_ALARM_DEFINE_CALL(counter_name##_alarm, hrli_counter_expire, &(counter_name));             \
    struct hrl_counter counter_name = {                                                            \
        0xFFFFFFFFu,          1, 0, 0, HRLI_NONE, &counter_name##_alarm, hrli_counter_arm,         \
        false HRLI_HOME_FIELD}

/*
 * The kernel's; in the application's object, so that a system without clock counters links no alarms. The
 * alarm expires at once, and is then set for the next point: as the function of an alarm runs no thread and
 * no other such function comes between the two.
 */
static inline void hrli_counter_arm(struct hrl_counter *counter)
{
    hrl_alarm_start(counter->alarm, 0);
}

static inline void hrli_counter_expire(void *counter, uint32_t expiries)
{
    struct hrl_counter *self = (struct hrl_counter *)counter;
    uint32_t due;

    (void)expiries;
    hrli_counter_process(self);
    if (hrli_counter_next(self, &due)) {
        hrl_counts now = hrl_now();
        int32_t ahead = (int32_t)(due - (uint32_t)now);

        hrl_alarm_start(self->alarm, ahead > 0 ? now + (uint32_t)ahead : now);
    }
}

#ifdef __cplusplus
}
#endif

#endif
