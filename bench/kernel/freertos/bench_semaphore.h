/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SEMAPHORE_H
#define BENCH_SEMAPHORE_H

#include "FreeRTOS.h"
#include "semphr.h"

/* Empty, holds one token; thread `taker` is the only one who takes. A handle is the object's address. */
#define BENCH_SEMAPHORE_DEFINE(name, taker) static StaticSemaphore_t name
#define BENCH_SEMAPHORE_PREPARE(name) ((void)xSemaphoreCreateCountingStatic(1, 0, &(name)))
#define BENCH_SEMAPHORE_TAKE(name)                                                                 \
    ((void)xSemaphoreTake((SemaphoreHandle_t) & (name), portMAX_DELAY))
#define BENCH_SEMAPHORE_GIVE(name) ((void)xSemaphoreGive((SemaphoreHandle_t) & (name)))
#define BENCH_SEMAPHORE_GIVE_FROM_INTERRUPT(name)                                                  \
    do {                                                                                           \
        BaseType_t woken = pdFALSE;                                                                \
        (void)xSemaphoreGiveFromISR((SemaphoreHandle_t) & (name), &woken);                         \
        portYIELD_FROM_ISR(woken);                                                                 \
    } while (0)

#endif
