/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A software timer on FreeRTOS that expires at every tick: the job is its callback, in the task of all timers, which
 * is the most urgent one. A less urgent task does BENCH_LOW, where that is defined.
 */
#include "bench_dispatch.h"
#include "bench_task.h"
#include "timers.h"

static void expired(TimerHandle_t timer)
{
    (void)timer;
    bench_short();
}

#ifdef BENCH_LOW
static void run_low(void *argument)
{
    (void)argument;
    BENCH_LOW();
}
#endif

int main(void)
{
    static StaticTimer_t memory;

#ifdef BENCH_LOW
    (void)bench_task_create(0, run_low, 1);
#endif
    (void)xTimerStart(xTimerCreateStatic("timer", 1, pdTRUE, NULL, expired, &memory), 0);
    vTaskStartScheduler();
    return 1;
}
