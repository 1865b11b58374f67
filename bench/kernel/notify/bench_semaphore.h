/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SEMAPHORE_H
#define BENCH_SEMAPHORE_H

#include "FreeRTOS.h"
#include "task.h"

/*
 * A task notification in place of a semaphore: the count is in the task `taker`, who alone can take.
 */
#define BENCH_SEMAPHORE_DEFINE(name, taker)                                                        \
    static inline TaskHandle_t name##_taker(void)                                                  \
    {                                                                                              \
        return BENCH_THREAD(taker);                                                                \
    }
#define BENCH_SEMAPHORE_PREPARE(name) ((void)0)
#define BENCH_SEMAPHORE_TAKE(name) ((void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY))
#define BENCH_SEMAPHORE_GIVE(name) ((void)xTaskNotifyGive(name##_taker()))
#define BENCH_SEMAPHORE_GIVE_FROM_INTERRUPT(name)                                                  \
    do {                                                                                           \
        BaseType_t woken = pdFALSE;                                                                \
        vTaskNotifyGiveFromISR(name##_taker(), &woken);                                            \
        portYIELD_FROM_ISR(woken);                                                                 \
    } while (0)

#endif
