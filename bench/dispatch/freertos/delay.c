/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Periodic tasks on FreeRTOS, in the way its documentation recommends: each waits with xTaskDelayUntil.
 * BENCH_TASKS tasks, of which number 0 is the least urgent; its body is BENCH_LOW where that is defined, and
 * does not end. Each other is released at every tick, number 1 first if BENCH_ORDER is defined.
 */
#include "bench_dispatch.h"
#include "bench_task.h"

enum { START_TICKS = 2 };

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

#ifdef BENCH_LOW
static void run_low(void *argument)
{
    (void)argument;
    BENCH_LOW();
}
#endif

int main(void)
{
    unsigned index = 0;

#ifdef BENCH_LOW
    (void)bench_task_create(index++, run_low, 1);
#endif
    for (; index < BENCH_TASKS; index++) {
        (void)bench_task_create(index, run_jobs, 1u + index % 31u);
    }
    vTaskStartScheduler();
    return 1;
}
