/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_chip.h"
#include <hrl/alarm.h>
#include <hrl/kernel.h>
#include <hrl/thread.h>

/* BENCH_ALARMS alarms with periods of 10, 11, 12, ... tenths of BENCH_PERIOD_US, which begin at one instant. */
static void expired(void *argument, uint32_t expiries)
{
    (void)argument;
    (void)expiries;
    BENCH_MARK(1);
}

struct member {
    struct hrl_alarm alarm;
    hrl_period period;
};

#define MEMBER(n)                                                                                  \
    {                                                                                              \
        HRL_ALARM_INIT_CALL(expired, 0), HRL_PERIOD_US(BENCH_PERIOD_US / 10u * (10u + (n)))        \
    }
static struct member family[] = {MEMBER(0), MEMBER(1), MEMBER(2), MEMBER(3), MEMBER(4), MEMBER(5)};

static void start(void *argument)
{
    hrl_counts first = hrl_now() + HRL_MS(100);

    (void)argument;
    for (uint8_t i = 0; i < BENCH_ALARMS; i++) {
        hrl_alarm_start_periodic(&family[i].alarm, first, family[i].period, HRL_ALARM_FOREVER);
    }
}

HRL_THREAD_DEFINE(starter, start, 0, 1, 240);

int main(void)
{
    hrl_thread_start(&starter);
    hrl_start();
}
