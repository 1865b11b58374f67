/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that wait in the way that FreeRTOS's documentation recommends, with xTaskDelayUntil. All begin together,
 * HRL_GEN_START_TICKS after the start, when every task has run up to its first wait. With HRL_GEN_RELEASES
 * each ends behind the release that follows so many jobs.
 */
#include "baseline.h"

void run_jobs(void *argument)
{
    const struct baseline_task *task = argument;
    TickType_t released = HRL_GEN_START_TICKS + task->offset;

    vTaskDelay(released - xTaskGetTickCount());
#if HRL_GEN_RELEASES != 0 /* the loop without end is what is measured everywhere else */
    for (uint32_t left = HRL_GEN_RELEASES; left != 0; left--) {
        task->body();
        (void)xTaskDelayUntil(&released, task->period);
    }
    for (;;) {
        vTaskSuspend(NULL);
    }
#else
    for (;;) {
        task->body();
        (void)xTaskDelayUntil(&released, task->period);
    }
#endif
}
