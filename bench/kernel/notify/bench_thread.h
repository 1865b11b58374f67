/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_NOTIFY_THREAD_H
#define BENCH_NOTIFY_THREAD_H

#include "FreeRTOS.h"
#include "task.h"
#include <stdbool.h>

/* A thread suspends itself by waiting for a notification, and is resumed by a notification. */
#define BENCH_NOTIFIES

static inline bool bench_thread_resume(TaskHandle_t thread)
{
    return xTaskNotifyGive(thread) == pdPASS;
}

static inline bool bench_thread_resume_from_interrupt(TaskHandle_t thread)
{
    BaseType_t woken = pdFALSE;

    vTaskNotifyGiveFromISR(thread, &woken);
    portYIELD_FROM_ISR(woken);
    return true;
}

static inline bool bench_thread_suspend_self(TaskHandle_t thread)
{
    (void)thread;
    return ulTaskNotifyTake(pdTRUE, portMAX_DELAY) != 0;
}

/* all others */
#include "../freertos/bench_thread.h"

#endif
