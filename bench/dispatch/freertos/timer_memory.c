/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "FreeRTOS.h"
/* needs the above */
#include "task.h"
#include "timers.h"

/* What an application with software timers has to bring. */
void vApplicationGetTimerTaskMemory(StaticTask_t **control_block, StackType_t **stack,
                                    configSTACK_DEPTH_TYPE *words)
{
    static StaticTask_t timers;
    static StackType_t timers_stack[configTIMER_TASK_STACK_DEPTH] __attribute__((aligned(16)));

    *control_block = &timers;
    *stack = timers_stack;
    *words = configTIMER_TASK_STACK_DEPTH;
}
