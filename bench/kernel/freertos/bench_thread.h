/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_THREAD_H
#define BENCH_THREAD_H

#include "FreeRTOS.h"
#include "task.h"
#include <stdbool.h>

typedef TaskHandle_t bench_thread;

#define BENCH_THREAD_DEFINE(name, function, argument, level, bytes)                                \
    static StackType_t name##_stack[(bytes) / sizeof(StackType_t)];                                \
    static StaticTask_t name##_thread;                                                             \
    static void name##_start(void)                                                                 \
    {                                                                                              \
        (void)xTaskCreateStatic(function, #name, (bytes) / sizeof(StackType_t), argument, level,   \
                                name##_stack, &name##_thread);                                     \
    }

/* The services of the thread's object; notify/ has others. */
#ifndef BENCH_NOTIFIES
#if INCLUDE_vTaskSuspend /* the smallest applications have neither */
static inline bool bench_thread_resume(bench_thread thread)
{
    vTaskResume(thread);
    return true;
}

static inline bool bench_thread_resume_from_interrupt(bench_thread thread)
{
    portYIELD_FROM_ISR(xTaskResumeFromISR(thread));
    return true;
}

/* `thread` is the caller. */
static inline bool bench_thread_suspend_self(bench_thread thread)
{
    (void)thread;
    vTaskSuspend(NULL);
    return true;
}
#endif
#endif

/* A static task's handle is the address of its control block. */
#define BENCH_THREAD(name) ((TaskHandle_t)&name##_thread)
#define BENCH_THREAD_START(name) name##_start()
#define BENCH_THREAD_RESUME(name) ((void)bench_thread_resume(BENCH_THREAD(name)))
#define BENCH_THREAD_RESUME_FROM_INTERRUPT(name)                                                   \
    ((void)bench_thread_resume_from_interrupt(BENCH_THREAD(name)))
#define BENCH_THREAD_SUSPEND_SELF(name) ((void)bench_thread_suspend_self(BENCH_THREAD(name)))

static inline void bench_yield(void)
{
    taskYIELD();
}

#endif
