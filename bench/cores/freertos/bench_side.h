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

/* The caller's own instant is the last one that it waited for, at first the start. */
static inline void bench_next_instant(void)
{
    TickType_t now = xTaskGetTickCount();

    now &= ~(TickType_t)1;
    (void)xTaskDelayUntil(&now, 2);
}

#endif
