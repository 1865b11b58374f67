/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "FreeRTOS.h"
/* needs the above */
#include "task.h"
#include "timers.h"
#include <avr/sleep.h>

/* What an application with software timers has to bring. */

void vApplicationIdleHook(void)
{
    sleep_mode();
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

void vApplicationGetTimerTaskMemory(StaticTask_t **control_block, StackType_t **stack,
                                    configSTACK_DEPTH_TYPE *words)
{
    static StaticTask_t timers;
    static StackType_t timers_stack[configTIMER_TASK_STACK_DEPTH];

    *control_block = &timers;
    *stack = timers_stack;
    *words = configTIMER_TASK_STACK_DEPTH;
}
