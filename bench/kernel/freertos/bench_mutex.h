/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_MUTEX_H
#define BENCH_MUTEX_H

#include "FreeRTOS.h"
#include "semphr.h"

/* With priority inheritance, as FreeRTOS' are. */
#define BENCH_MUTEX_DEFINE(name) static StaticSemaphore_t name
#define BENCH_MUTEX_PREPARE(name) ((void)xSemaphoreCreateMutexStatic(&(name)))
#define BENCH_MUTEX_LOCK(name) ((void)xSemaphoreTake((SemaphoreHandle_t) & (name), portMAX_DELAY))
#define BENCH_MUTEX_UNLOCK(name) ((void)xSemaphoreGive((SemaphoreHandle_t) & (name)))

#endif
