/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same periodic tasks on FreeRTOS: start and idle loop, whatever releases them. delay_until.c and notify/ say how
 * they wait.
 */
#include "baseline.h"
#include "hrlp_upcalls.h"

_Noreturn void hrlp_idle_loop(void);

#ifndef BASELINE_BEFORE_IDLE /* by the configuration, where FreeRTOS's port starts a tick that is not wanted */
#define BASELINE_BEFORE_IDLE() ((void)0)
#endif

void vApplicationIdleHook(void)
{
    BASELINE_BEFORE_IDLE();
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
#ifndef __AVR__ /* where such a text is in flash: avr/support.c */
const char *hrli_cpu_current_name(void)
{
    TaskHandle_t task = xTaskGetCurrentTaskHandle();

    return task == NULL ? "start-up" : pcTaskGetName(task);
}
#endif

int main(void)
{
#if BASELINE_CONSTRUCTORS /* C++'s static objects, as ours */
    void hrl_gen_construct(void);

    hrl_gen_construct();
#endif
#ifdef HRL_GEN_START
    void HRL_GEN_START(void);

    HRL_GEN_START();
#endif
    for (uint32_t i = 0; i < baseline_task_count; i++) {
        const BASELINE_FLASH struct baseline_task *task = &baseline_tasks[i];

        (void)xTaskCreateStatic(run_jobs, task->name, task->stack_words, (void *)task,
                                task->priority, task->stack, &baseline_control_blocks[i]);
    }
    vTaskStartScheduler();
    return 1;
}
