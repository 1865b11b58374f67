/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "FreeRTOS.h"
#include "task.h"

/* What the application has to bring. */

_Noreturn void hrlp_idle_loop(void);

void vApplicationIdleHook(void)
{
    hrlp_idle_loop();
}

void vApplicationGetIdleTaskMemory(StaticTask_t **control_block, StackType_t **stack,
                                   configSTACK_DEPTH_TYPE *words)
{
    static StaticTask_t idle;
    static StackType_t idle_stack[configMINIMAL_STACK_SIZE] __attribute__((aligned(16)));

    *control_block = &idle;
    *stack = idle_stack;
    *words = configMINIMAL_STACK_SIZE;
}

/* For the message after a fault, which the start-up code of both kernels prints. */
const char *hrli_cpu_current_name(void)
{
    TaskHandle_t task = xTaskGetCurrentTaskHandle();

    return task == NULL ? "start-up" : pcTaskGetName(task);
}
