/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 7 on FreeRTOS: two less urgent tasks are released while an urgent one runs. */
#include "bench_dispatch.h"
#include "bench_task.h"

enum { START_TICKS = 2, PERIOD_TICKS = 10 };

static const struct {
    void (*body)(void);
    TickType_t offset;
    UBaseType_t priority;
} tasks[BENCH_TASKS] = {
    {bench_urgent, 0, 3},
    {bench_first, 1, 1},
    {bench_second, 2, 2},
};

static void run_jobs(void *argument)
{
    unsigned index = (unsigned)(uintptr_t)argument;
    TickType_t released = START_TICKS + tasks[index].offset;

    vTaskDelay(released - xTaskGetTickCount());
    for (;;) {
        tasks[index].body();
        (void)xTaskDelayUntil(&released, PERIOD_TICKS);
    }
}

int main(void)
{
    for (unsigned index = 0; index < BENCH_TASKS; index++) {
        (void)bench_task_create(index, run_jobs, tasks[index].priority);
    }
    vTaskStartScheduler();
    return 1;
}
