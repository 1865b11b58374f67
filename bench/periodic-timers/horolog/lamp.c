/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_lamp.h"
#include <hrl/alarm.h>
#include <hrl/kernel.h>
#include <hrl/thread.h>

/* Figure 9 of the paper: a thread glows, an alarm changes the intensities every BENCH_PERIOD_US. */
static void change(void *argument, uint32_t expiries)
{
    (void)argument;
    (void)expiries;
    bench_lamp_change();
}

HRL_ALARM_DEFINE_CALL(alarm, change, 0);

static void glow(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&alarm, hrl_now() + HRL_US(BENCH_PERIOD_US),
                             HRL_PERIOD_US(BENCH_PERIOD_US), HRL_ALARM_FOREVER);
    bench_lamp_glow();
}

HRL_THREAD_DEFINE(glower, glow, 0, 1, 240);

int main(void)
{
    hrl_thread_start(&glower);
    hrl_start();
}
