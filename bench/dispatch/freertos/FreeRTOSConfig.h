/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS as it is measured everywhere (baselines/freertos/FreeRTOSConfig.h: lean, no asserts), with a tick of
 * BENCH_PERIOD counts, and notifications or software timers where they are what is measured.
 */
#ifndef BENCH_FREERTOS_CONFIG_H
#define BENCH_FREERTOS_CONFIG_H

#include "../../../baselines/freertos/FreeRTOSConfig.h"

#ifdef BENCH_NOTIFY
#undef configUSE_TASK_NOTIFICATIONS
#define configUSE_TASK_NOTIFICATIONS 1
#undef INCLUDE_vTaskSuspend
#define INCLUDE_vTaskSuspend 1 /* with it, portMAX_DELAY is for ever */
#endif

#ifdef BENCH_TIMERS
#undef configUSE_TIMERS
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY (configMAX_PRIORITIES - 1)
#define configTIMER_QUEUE_LENGTH 8
#define configTIMER_TASK_STACK_DEPTH 256
#endif

#ifdef __riscv
#define configMTIME_BASE_ADDRESS 0x0200BFF8u
#define configMTIMECMP_BASE_ADDRESS 0x02004000u
#define configISR_STACK_SIZE_WORDS 256
#endif

#endif
