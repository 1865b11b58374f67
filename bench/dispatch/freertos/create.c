/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_task.h"
#include <stdint.h>

enum { STACK_WORDS = 256, MOST_TASKS = BENCH_TASKS };

static StaticTask_t control_blocks[MOST_TASKS];
static StackType_t stacks[MOST_TASKS][STACK_WORDS] __attribute__((aligned(16)));

TaskHandle_t bench_task_create(unsigned index, TaskFunction_t entry, UBaseType_t priority)
{
    return xTaskCreateStatic(entry, "task", STACK_WORDS, (void *)(uintptr_t)index, priority,
                             stacks[index], &control_blocks[index]);
}
