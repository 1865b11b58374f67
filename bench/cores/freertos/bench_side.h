/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SIDE_H
#define BENCH_SIDE_H

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

/*
 * FreeRTOS's side. Without affinity (HRL_AFFINITY), threads belong to no core: they run where the kernel lets
 * them, and their stacks are in shared memory; with it, in the memory of their core, which does not wait for
 * it.
 */
void bench_thread(unsigned core, unsigned number, TaskFunction_t entry);

static inline void bench_run(void)
{
    vTaskStartScheduler();
}

static inline void bench_yield(void)
{
    taskYIELD();
}

/* A static semaphore's handle is its address. */
#define BENCH_SEMAPHORE_DEFINE(name) static StaticSemaphore_t name
#define BENCH_SEMAPHORE_PREPARE(name) ((void)xSemaphoreCreateCountingStatic(1, 0, &(name)))
#define BENCH_SEMAPHORE_GIVE(name) ((void)xSemaphoreGive((SemaphoreHandle_t) & (name)))
#define BENCH_SEMAPHORE_TAKE(name)                                                                 \
    ((void)xSemaphoreTake((SemaphoreHandle_t) & (name), portMAX_DELAY))

/* Of tasks that any core may run, with stacks in shared memory. */
#define BENCH_GLOBAL_DEFINE(name, entry, priority)                                                 \
    static StaticTask_t name##_block;                                                              \
    static StackType_t name##_stack[256];                                                          \
    static void name##_start(void)                                                                 \
    {                                                                                              \
        (void)xTaskCreateStatic(entry, #name, 256, NULL, priority, name##_stack, &name##_block);   \
    }                                                                                              \
    _Static_assert((priority) < configMAX_PRIORITIES, "so many tasks that priorities are short")
#define BENCH_GLOBAL_START(name) name##_start()

typedef TickType_t bench_instant;

static inline void bench_wait(bench_instant *last, unsigned ms)
{
    (void)xTaskDelayUntil(last, ms);
}

/* The caller's own instant is the last one that it waited for, at first the start. */
static inline void bench_next_instant(void)
{
    TickType_t now = xTaskGetTickCount();

    now &= ~(TickType_t)1;
    (void)xTaskDelayUntil(&now, 2);
}

#endif
