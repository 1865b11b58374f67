/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_OBJECTS_H
#define BENCH_OBJECTS_H

#include "FreeRTOS.h"
/* needs the above */
#include "semphr.h"
#include "task.h"
#include "timers.h"

/* A handle is the object's address, which is known when the program is linked. */
#define BENCH_SEMAPHORE(name) static StaticSemaphore_t name;
#define BENCH_SEMAPHORE_BEGIN(name) ((void)xSemaphoreCreateBinaryStatic(&(name)))
#define BENCH_TAKE(name) ((void)xSemaphoreTake((SemaphoreHandle_t) & (name), portMAX_DELAY))

/*
 * An alarm is a software timer; with BENCH_TICK_HOOK it is a count in the tick's interrupt, as an expert writes it to
 * save the timers' task and queue.
 */
#ifdef BENCH_TICK_HOOK
#define BENCH_ALARM(name, semaphore)                                                               \
    static uint8_t name;                                                                           \
    void vApplicationTickHook(void)                                                                \
    {                                                                                              \
        if (++name == pdMS_TO_TICKS(10)) {                                                         \
            name = 0;                                                                              \
            (void)xSemaphoreGiveFromISR((SemaphoreHandle_t) & (semaphore), NULL);                  \
        }                                                                                          \
    }
#define BENCH_ALARM_BEGIN(name) ((void)0)
#else
#define BENCH_ALARM(name, semaphore)                                                               \
    static StaticTimer_t name;                                                                     \
    static void name##_expires(TimerHandle_t timer)                                                \
    {                                                                                              \
        (void)timer;                                                                               \
        (void)xSemaphoreGive((SemaphoreHandle_t) & (semaphore));                                   \
    }
#define BENCH_ALARM_BEGIN(name)                                                                    \
    ((void)xTimerCreateStatic(NULL, pdMS_TO_TICKS(10), pdTRUE, NULL, name##_expires, &(name)),     \
     (void)xTimerStart((TimerHandle_t) & (name), 0))
#endif

#define BENCH_THREAD(name, function, level, bytes)                                                 \
    static StackType_t name##_stack[bytes];                                                        \
    static StaticTask_t name;                                                                      \
    static void name##_begin(void)                                                                 \
    {                                                                                              \
        (void)xTaskCreateStatic(function, NULL, bytes, NULL, level, name##_stack, &(name));        \
    }
#define BENCH_THREAD_BEGIN(name) name##_begin()

#define BENCH_RUN() vTaskStartScheduler()

#endif
