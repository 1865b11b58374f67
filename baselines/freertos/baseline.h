/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASELINE_H
#define BASELINE_H

#include "FreeRTOS.h"
#include "task.h"
#include <stdint.h>

/*
 * One periodic task of FreeRTOS's, as the generated code describes it: a task of the system, or all tasks of a
 * rate group, of which `body` runs one after the other. Times are ticks, or what a cell counts.
 */
struct baseline_task {
    const char *name;
    void (*body)(void);
    StackType_t *stack;
    uint32_t stack_words;
    UBaseType_t priority;
    TickType_t period;
    TickType_t offset;
};

/* What is constant is in flash, where that has addresses of its own. */
#ifdef __AVR__
#define BASELINE_FLASH __flash
#else
#define BASELINE_FLASH
#endif
extern const BASELINE_FLASH struct baseline_task baseline_tasks[];
extern const BASELINE_FLASH uint32_t baseline_task_count;
extern StaticTask_t baseline_control_blocks[];

/*
 * In generated code, at file scope, without a semicolon: the stack of one of these tasks, or of an idle task; and
 * the body of a rate group, a list of BASELINE_JOB(number of a task).
 */
#define BASELINE_STACK(name, words)                                                                \
    static StackType_t name[words]                                                                 \
        __attribute__((section(".hrl_stacks"), aligned(sizeof(StackType_t) == 1 ? 1 : 8)));
#define BASELINE_STACK_ON(core, name, words) /* in the memory of a core (smp/link.ld) */           \
    static StackType_t name[words] __attribute__((section(".hrl_stacks_on_" #core), aligned(8)));
#define BASELINE_GROUP(name, ...)                                                                  \
    static void name(void)                                                                         \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define BASELINE_JOB(task) hrl_gen_body_##task();

/* What each of FreeRTOS's tasks does for ever; `argument` is its struct baseline_task. */
void run_jobs(void *argument);

#endif
