/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that wait for a direct-to-task notification, which the handler of a timer cell gives at each release. FreeRTOS
 * does not tick: its port lets an application choose the timer by a vPortSetupTimerInterrupt of its own,
 * and here no call waits for a time. With HRL_GEN_RELEASES each task ends behind so many jobs.
 */
#include "notify.h"
#include "hrlp_irq.h"

struct baseline_release baseline_releases[HRL_GEN_GROUPS];
struct baseline_release baseline_never = {.after = portMAX_DELAY};
struct baseline_release *baseline_first = &baseline_never;

void run_jobs(void *argument)
{
    const struct baseline_task *task = argument;

#if HRL_GEN_RELEASES != 0 /* the loop without end is what is measured everywhere else */
    for (uint32_t left = HRL_GEN_RELEASES; left != 0; left--) {
        (void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
        task->body();
    }
    for (;;) {
        vTaskSuspend(NULL);
    }
#else
    for (;;) { /* a notification is one release, also behind an overrun */
        (void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
        task->body();
    }
#endif
}

/* FreeRTOS calls it when all tasks are there, before the first runs; interrupts are masked. */
void vPortSetupTimerInterrupt(void)
{
    for (uint32_t i = 0; i < HRL_GEN_GROUPS; i++) {
        const struct baseline_task *task = &baseline_tasks[i];

        baseline_releases[i] = (struct baseline_release){
            .period = task->period,
            .task = (TaskHandle_t)&baseline_control_blocks[i],
        };
        baseline_insert(&baseline_releases[i], baseline_start + task->offset);
    }
    HRL_GEN_CELL(prepare)(HRL_GEN_CELL_CHANNEL, HRLP_IRQ_OF_CELLS);
    baseline_start_cell();
}
