/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TIME_H
#define BENCH_TIME_H

#include "FreeRTOS.h"
#include "task.h"

/* Until the next tick: what people write, though only two ticks last at least 1 ms. */
static inline void bench_sleep_1_ms(void)
{
    vTaskDelay(pdMS_TO_TICKS(1));
}

static inline void bench_sleep_s(uint32_t seconds)
{
    vTaskDelay(seconds * configTICK_RATE_HZ);
}

/* Microseconds since the start; the tick at or after that instant. */
static inline void bench_sleep_until_us(uint32_t instant)
{
    vTaskDelay((instant + 999u) / 1000u - xTaskGetTickCount());
}

#endif
