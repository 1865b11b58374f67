/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same periodic tasks on FreeRTOS on several cores: start and idle loops. With affinity (HRL_AFFINITY) each task
 * has the core that the generated code says; without, any. delay_until.c says how tasks wait.
 */
#include "baseline.h"

/* In generated code: of each task the core that it may run on, as a bit, and of each core its idle task's stack. */
extern const UBaseType_t baseline_affinities[];
extern StackType_t *const baseline_idle_stacks[];

static StaticTask_t idle_blocks[configNUMBER_OF_CORES];

_Noreturn void hrlp_idle_loop(void);

void vApplicationIdleHook(void)
{
    hrlp_idle_loop();
}

void vApplicationPassiveIdleHook(void)
{
    hrlp_idle_loop();
}

static void give_idle(BaseType_t core, StaticTask_t **control_block, StackType_t **stack,
                      configSTACK_DEPTH_TYPE *words)
{
    *control_block = &idle_blocks[core];
    *stack = baseline_idle_stacks[core];
    *words = configMINIMAL_STACK_SIZE;
}

void vApplicationGetIdleTaskMemory(StaticTask_t **control_block, StackType_t **stack,
                                   configSTACK_DEPTH_TYPE *words)
{
    give_idle(0, control_block, stack, words);
}

void vApplicationGetPassiveIdleTaskMemory(StaticTask_t **control_block, StackType_t **stack,
                                          configSTACK_DEPTH_TYPE *words, BaseType_t index)
{
    give_idle(index + 1, control_block, stack, words);
}

int main(void)
{
    for (uint32_t i = 0; i < baseline_task_count; i++) {
        const struct baseline_task *task = &baseline_tasks[i];
#if HRL_AFFINITY /* the kernel has the call only then */
        (void)xTaskCreateStaticAffinitySet(run_jobs, task->name, task->stack_words, (void *)task,
                                           task->priority, task->stack, &baseline_control_blocks[i],
                                           baseline_affinities[i]);
#else
        (void)xTaskCreateStatic(run_jobs, task->name, task->stack_words, (void *)task,
                                task->priority, task->stack, &baseline_control_blocks[i]);
#endif
    }
    vTaskStartScheduler();
    return 1;
}
