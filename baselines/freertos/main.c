/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same periodic tasks on FreeRTOS, in the way its documentation recommends: each waits with
 * xTaskDelayUntil. All begin together, HRL_GEN_START_TICKS after the start, when every task has run up
 * to its first wait. With HRL_GEN_RELEASES each ends behind the release that follows so many jobs.
 */
#include "baseline.h"
#include "hrlp_upcalls.h"

_Noreturn void hrlp_idle_loop(void);

static void run_jobs(void *argument)
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

void vApplicationIdleHook(void)
{
    hrlp_idle_loop();
}

void vApplicationGetIdleTaskMemory(StaticTask_t **control_block, StackType_t **stack,
                                   configSTACK_DEPTH_TYPE *words)
{
    static StaticTask_t idle;
    static StackType_t idle_stack[configMINIMAL_STACK_SIZE];

    *control_block = &idle;
    *stack = idle_stack;
    *words = configMINIMAL_STACK_SIZE;
}

/* For the message after a fault, which the start-up code shared by both kernels prints. */
const char *hrli_cpu_current_name(void)
{
    TaskHandle_t task = xTaskGetCurrentTaskHandle();

    return task == NULL ? "start-up" : pcTaskGetName(task);
}

int main(void)
{
    for (uint32_t i = 0; i < baseline_task_count; i++) {
        const struct baseline_task *task = &baseline_tasks[i];

        (void)xTaskCreateStatic(run_jobs, task->name, task->stack_words, (void *)task,
                                task->priority, task->stack, &baseline_control_blocks[i]);
    }
    vTaskStartScheduler();
    return 1;
}
