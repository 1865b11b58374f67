/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_THREAD_H
#define BENCH_THREAD_H

#include "FreeRTOS.h"
#include "task.h"

typedef TaskHandle_t bench_thread;

#define BENCH_THREAD_DEFINE(name, function, argument, level, bytes)                                \
    static StackType_t name##_stack[(bytes) / sizeof(StackType_t)];                                \
    static StaticTask_t name##_task;                                                               \
    static void name##_start(void)                                                                 \
    {                                                                                              \
        (void)xTaskCreateStatic(function, #name, (bytes) / sizeof(StackType_t), argument, level,   \
                                name##_stack, &name##_task);                                       \
    }

/* A static task's handle is the address of its control block. */
#define BENCH_THREAD(name) ((TaskHandle_t)&name##_task)
#define BENCH_THREAD_START(name) name##_start()
#define BENCH_THREAD_RESUME(name) vTaskResume(BENCH_THREAD(name))
#define BENCH_THREAD_RESUME_FROM_INTERRUPT(name)                                                   \
    portYIELD_FROM_ISR(xTaskResumeFromISR(BENCH_THREAD(name)))
#define BENCH_THREAD_SUSPEND_SELF(name) vTaskSuspend(NULL)

static inline void bench_yield(void)
{
    taskYIELD();
}

#endif
