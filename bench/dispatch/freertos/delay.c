/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Periodic tasks on FreeRTOS, in the way its documentation recommends: each waits with xTaskDelayUntil.
 * BENCH_TASKS tasks, released at every tick. Number 0 is the least urgent; where BENCH_LOW is defined, it does
 * that instead, and does not end; where BENCH_NEXT is, its body is bench_next.
 */
#include "bench_dispatch.h"
#include "bench_task.h"

enum { START_TICKS = 2, LEVELS = 31 };

static void run_jobs(void *argument)
{
    TickType_t released = START_TICKS;

    (void)argument;
    vTaskDelay(released - xTaskGetTickCount());
    for (;;) {
        bench_short();
        (void)xTaskDelayUntil(&released, 1);
    }
}

#ifdef BENCH_LOW /* the images are to hold nothing that they do not use */
static void run_low(void *argument)
{
    (void)argument;
    BENCH_LOW();
}
#elif defined(BENCH_NEXT)
static void run_low(void *argument)
{
    TickType_t released = START_TICKS;

    (void)argument;
    vTaskDelay(released - xTaskGetTickCount());
    for (;;) {
        bench_next();
        (void)xTaskDelayUntil(&released, 1);
    }
}
#else
#define run_low run_jobs
#endif

int main(void)
{
    (void)bench_task_create(0, run_low, 1);
    for (unsigned index = 1; index < BENCH_TASKS; index++) {
        (void)bench_task_create(index, run_jobs, 1 + index * (LEVELS - 1) / (BENCH_TASKS - 1));
    }
    vTaskStartScheduler();
    return 1;
}
