/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS as it is measured on such chips (baselines/freertos/avr/FreeRTOSConfig.h), with what the application needs:
 * waiting for ever, and timers, or with BENCH_TICK_HOOK a hook in the place of these.
 */
#ifndef BENCH_FREERTOS_CONFIG_H
#define BENCH_FREERTOS_CONFIG_H

#include "../../../baselines/freertos/avr/FreeRTOSConfig.h"

#undef INCLUDE_vTaskSuspend
#define INCLUDE_vTaskSuspend 1 /* with it, portMAX_DELAY is for ever */
#undef INCLUDE_vTaskDelay
#define INCLUDE_vTaskDelay 0
#undef INCLUDE_xTaskDelayUntil
#define INCLUDE_xTaskDelayUntil 0

#ifdef BENCH_TICK_HOOK
#undef configUSE_TICK_HOOK
#define configUSE_TICK_HOOK 1
#else
#undef configUSE_TIMERS
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY (configMAX_PRIORITIES - 1)
#define configTIMER_QUEUE_LENGTH 1 /* one command, at the start */
#define configTIMER_TASK_STACK_DEPTH 104
#endif

#endif
