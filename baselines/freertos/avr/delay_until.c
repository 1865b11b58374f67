/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As ../delay_until.c, where constants are in flash, which is read slowly: what the loop needs of them is kept in
 * registers.
 */
#include "baseline.h"

void run_jobs(void *argument)
{
    const BASELINE_FLASH struct baseline_task *task =
        (const BASELINE_FLASH struct baseline_task *)argument;
    void (*const body)(void) = task->body;
    const TickType_t period = task->period;
    TickType_t released = HRL_GEN_START_TICKS + task->offset;

    vTaskDelay(released - xTaskGetTickCount());
#if HRL_GEN_RELEASES != 0 /* the loop without end is what is measured everywhere else */
    for (uint32_t left = HRL_GEN_RELEASES; left != 0; left--) {
        body();
        (void)xTaskDelayUntil(&released, period);
    }
    for (;;) {
        vTaskSuspend(NULL);
    }
#else
    for (;;) {
        body();
        (void)xTaskDelayUntil(&released, period);
    }
#endif
}
