/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "FreeRTOS.h"
/* needs the above */
#include "task.h"
#include "timers.h"

/* Figure 12 of the paper: BENCH_THREADS tasks of one priority, each resumed by a software timer. */
static const uint16_t periods_ms[] = {10, 30, 60, 90, 120, 150};
static StaticTimer_t timers[BENCH_THREADS];
static StaticTask_t tasks[BENCH_THREADS];
static StackType_t stacks[BENCH_THREADS][96];

static void expired(TimerHandle_t timer)
{
    vTaskResume((TaskHandle_t)pvTimerGetTimerID(timer));
}

static void run(void *argument)
{
    (void)argument;
    for (;;) {
        vTaskSuspend(NULL);
    }
}

int main(void)
{
    for (uint8_t i = 0; i < BENCH_THREADS; i++) {
        TaskHandle_t task =
            xTaskCreateStatic(run, "", sizeof stacks[i], NULL, 1, stacks[i], &tasks[i]);
        TimerHandle_t timer =
            xTimerCreateStatic("", pdMS_TO_TICKS(periods_ms[i]), pdTRUE, task, expired, &timers[i]);

        (void)xTimerStart(timer, 0);
    }
    vTaskStartScheduler();
    return 1;
}
