/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* Two equal tasks on FreeRTOS that yield to one another. */
#include "bench_dispatch.h"
#include "bench_task.h"

void bench_yield_first(void *argument);
void bench_yield_second(void *argument);

void bench_yield_first(void *argument)
{
    (void)argument;
    for (;;) {
        taskYIELD();
    }
}

void bench_yield_second(void *argument)
{
    (void)argument;
    for (;;) {
        taskYIELD();
        BENCH_UNLIKE("second");
    }
}

int main(void)
{
    (void)bench_task_create(0, bench_yield_first, 1);
    (void)bench_task_create(1, bench_yield_second, 1);
    vTaskStartScheduler();
    return 1;
}
