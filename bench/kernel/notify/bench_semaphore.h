/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SEMAPHORE_H
#define BENCH_SEMAPHORE_H

#include "FreeRTOS.h"
#include "task.h"
#include <stdbool.h>

/*
 * A task notification in place of a semaphore: the count is in the task `taker`, which alone can
 * take it.
 */
typedef TaskHandle_t bench_semaphore;

static inline bool bench_semaphore_take(bench_semaphore semaphore)
{
    (void)semaphore;
    return ulTaskNotifyTake(pdFALSE, portMAX_DELAY) != 0;
}

static inline bool bench_semaphore_give(bench_semaphore semaphore)
{
    return xTaskNotifyGive(semaphore) == pdPASS;
}

static inline bool bench_semaphore_give_from_interrupt(bench_semaphore semaphore)
{
    BaseType_t woken = pdFALSE;

    vTaskNotifyGiveFromISR(semaphore, &woken);
    portYIELD_FROM_ISR(woken);
    return true;
}

#define BENCH_SEMAPHORE_DEFINE(name, taker)                                                        \
    static inline TaskHandle_t name##_taker(void)                                                  \
    {                                                                                              \
        return BENCH_THREAD(taker);                                                                \
    }
#define BENCH_SEMAPHORE_PREPARE(name) ((void)0)
#define BENCH_SEMAPHORE(name) name##_taker()
#define BENCH_SEMAPHORE_TAKE(name) ((void)bench_semaphore_take(BENCH_SEMAPHORE(name)))
#define BENCH_SEMAPHORE_GIVE(name) ((void)bench_semaphore_give(BENCH_SEMAPHORE(name)))
#define BENCH_SEMAPHORE_GIVE_FROM_INTERRUPT(name)                                                  \
    ((void)bench_semaphore_give_from_interrupt(BENCH_SEMAPHORE(name)))

#endif
