/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "FreeRTOS.h"
/* needs the above */
#include "bench_lamp.h"
#include "task.h"
#include "timers.h"

/* Figure 9 of the paper: a task glows, a software timer changes the intensities every BENCH_PERIOD_TICKS. */
static void expired(TimerHandle_t timer)
{
    (void)timer;
    bench_lamp_change();
}

static void glow(void *argument)
{
    (void)argument;
    bench_lamp_glow();
}

int main(void)
{
    static StaticTimer_t memory;
    static StaticTask_t task;
    static StackType_t stack[128];
    TimerHandle_t timer =
        xTimerCreateStatic("", BENCH_PERIOD_TICKS, pdTRUE, NULL, expired, &memory);

    (void)xTimerStart(timer, 0);
    (void)xTaskCreateStatic(glow, "", sizeof stack, NULL, 1, stack, &task);
    vTaskStartScheduler();
    return 1;
}
