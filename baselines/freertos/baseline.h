/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASELINE_H
#define BASELINE_H

#include "FreeRTOS.h"
#include "task.h"
#include <stdint.h>

/* One periodic task, as the generated code describes it to FreeRTOS. */
struct baseline_task {
    const char *name;
    void (*body)(void);
    StackType_t *stack;
    uint32_t stack_words;
    UBaseType_t priority;
    TickType_t period;
    TickType_t offset;
};

extern const struct baseline_task baseline_tasks[];
extern const uint32_t baseline_task_count;
extern StaticTask_t baseline_control_blocks[];

#endif
