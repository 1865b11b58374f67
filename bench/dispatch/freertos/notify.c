/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task on FreeRTOS that a timer's interrupt notifies, every BENCH_PERIOD counts, which is its fastest way from
 * an interrupt to a task. The tick is slow. A less urgent task does BENCH_LOW, where that is defined.
 */
#include "bench_dispatch.h"
#include "bench_task.h"
#include "bench_timer.h"

static TaskHandle_t notified;

/* Context: the timer's interrupt, acknowledged. */
void bench_timer_expired(void)
{
    BaseType_t woken = pdFALSE;

    vTaskNotifyGiveFromISR(notified, &woken);
    portYIELD_FROM_ISR(woken);
}

static void run_notified(void *argument)
{
    (void)argument;
    bench_timer_start(BENCH_EVERY);
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        bench_short();
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
#ifdef BENCH_LOW
    (void)bench_task_create(1, run_low, 1);
#endif
    notified = bench_task_create(0, run_notified, 2);
    vTaskStartScheduler();
    return 1;
}
