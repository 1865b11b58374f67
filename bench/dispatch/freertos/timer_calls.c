/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A software timer on FreeRTOS is started, asked whether it runs and stopped, again and again, as bench/tables/calls.c
 * does with a schedule table. Starting and stopping are done when the call returns: the task of all timers is the most
 * urgent one.
 */
#include "bench_dispatch.h"
#include "bench_task.h"
#include "timers.h"

enum { FAR_TICKS = 1000, TURNS = 1100 };

static TimerHandle_t timer;
static volatile BaseType_t status;

void bench_start_table(void);
__attribute__((noinline)) void bench_start_table(void)
{
    status = xTimerStart(timer, 0);
}

void bench_read_state(void);
__attribute__((noinline)) void bench_read_state(void)
{
    status = xTimerIsTimerActive(timer);
}

void bench_stop_table(void);
__attribute__((noinline)) void bench_stop_table(void)
{
    status = xTimerStop(timer, 0);
}

static void expired(TimerHandle_t ended)
{
    (void)ended;
}

static void run_calls(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < TURNS; i++) {
        bench_start_table();
        bench_read_state();
        bench_stop_table();
    }
    bench_background();
}

int main(void)
{
    static StaticTimer_t memory;

    timer = xTimerCreateStatic("timer", FAR_TICKS, pdFALSE, NULL, expired, &memory);
    (void)bench_task_create(0, run_calls, 1);
    vTaskStartScheduler();
    return 1;
}
