/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "FreeRTOS.h"
/* needs the above */
#include "bench_chip.h"
#include "task.h"
#include "timers.h"

/*
 * Figure 7 and Table 3 of the paper with a software timer: it expires every BENCH_PERIOD_TICKS, BENCH_TIMES times. What
 * expires is served by the task of all timers, to which the tick switches.
 */
static void expired(TimerHandle_t timer)
{
    static uint8_t count;

    (void)timer;
    BENCH_MARK(1);
    if (++count == BENCH_TIMES) {
        BENCH_EXIT = 0;
    }
}

int main(void)
{
    static StaticTimer_t memory;
    TimerHandle_t timer =
        xTimerCreateStatic("", BENCH_PERIOD_TICKS, pdTRUE, NULL, expired, &memory);

    (void)xTimerStart(timer, 0);
    vTaskStartScheduler();
    return 1;
}
