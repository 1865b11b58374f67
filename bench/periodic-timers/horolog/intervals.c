/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_chip.h"
#include <hrl/alarm.h>
#include <hrl/kernel.h>
#include <hrl/thread.h>

/* Figure 7 and Table 3 of the paper: an alarm of BENCH_PERIOD_US goes off BENCH_TIMES times. */
static uint16_t count;

static void handler(void *argument, uint32_t expiries)
{
    (void)argument;
    (void)expiries;
    BENCH_MARK(1);
    if (++count == BENCH_TIMES) {
        BENCH_EXIT = 0;
    }
}

HRL_ALARM_DEFINE_CALL(alarm, handler, 0);

static void start(void *argument)
{
    (void)argument;
    /* Begins when the start is over, also where the period is shorter than that. */
    hrl_alarm_start_periodic(&alarm, hrl_now() + HRL_MS(20), HRL_PERIOD_US(BENCH_PERIOD_US),
                             HRL_ALARM_FOREVER);
}

HRL_THREAD_DEFINE(starter, start, 0, 1, 240);

int main(void)
{
    hrl_thread_start(&starter);
    hrl_start();
}
