/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/alarm.h>
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>

/* Two threads, a semaphore and an alarm, which gives the semaphore every 10 ms. Only its size counts. */
HRL_SEMAPHORE_DEFINE(token, 0, 1);
HRL_ALARM_DEFINE_GIVE(alarm, token);

static void take(void *argument)
{
    (void)argument;
    for (;;) {
        (void)hrl_semaphore_take(&token, HRL_FOREVER);
    }
}

static void start(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&alarm, hrl_now() + HRL_MS(10), HRL_PERIOD_MS(10), HRL_ALARM_FOREVER);
    for (;;) {
        hrl_thread_sleep_for(HRL_MS(10));
    }
}

HRL_THREAD_DEFINE(taker, take, 0, 2, 128);
HRL_THREAD_DEFINE(starter, start, 0, 1, 128);

int main(void)
{
    hrl_thread_start(&taker);
    hrl_thread_start(&starter);
    hrl_start();
}
