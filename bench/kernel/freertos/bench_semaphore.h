/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SEMAPHORE_H
#define BENCH_SEMAPHORE_H

#include "FreeRTOS.h"
#include "semphr.h"
#include <stdbool.h>

typedef SemaphoreHandle_t bench_semaphore;

static inline bool bench_semaphore_take(bench_semaphore semaphore)
{
    return xSemaphoreTake(semaphore, portMAX_DELAY) == pdTRUE;
}

static inline bool bench_semaphore_give(bench_semaphore semaphore)
{
    return xSemaphoreGive(semaphore) == pdTRUE;
}

static inline bool bench_semaphore_give_from_interrupt(bench_semaphore semaphore)
{
    BaseType_t woken = pdFALSE;
    BaseType_t given = xSemaphoreGiveFromISR(semaphore, &woken);

    portYIELD_FROM_ISR(woken);
    return given == pdTRUE;
}

/* Empty, holds one token; only thread `taker` takes it. A handle is the object's address. */
#define BENCH_SEMAPHORE_DEFINE(name, taker) static StaticSemaphore_t name
#define BENCH_SEMAPHORE_PREPARE(name) ((void)xSemaphoreCreateCountingStatic(1, 0, &(name)))
#define BENCH_SEMAPHORE(name) ((SemaphoreHandle_t) & (name))
#define BENCH_SEMAPHORE_TAKE(name) ((void)bench_semaphore_take(BENCH_SEMAPHORE(name)))
#define BENCH_SEMAPHORE_GIVE(name) ((void)bench_semaphore_give(BENCH_SEMAPHORE(name)))
#define BENCH_SEMAPHORE_GIVE_FROM_INTERRUPT(name)                                                  \
    ((void)bench_semaphore_give_from_interrupt(BENCH_SEMAPHORE(name)))

#endif
