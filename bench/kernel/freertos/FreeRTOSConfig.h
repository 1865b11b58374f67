/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS as it is measured everywhere (baselines/freertos/FreeRTOSConfig.h: lean, no asserts), with the
 * services that the scenarios need, and nothing else. The minimal application of the ROM row needs none.
 */
#ifndef BENCH_FREERTOS_CONFIG_H
#define BENCH_FREERTOS_CONFIG_H

#include "../../../baselines/freertos/FreeRTOSConfig.h"

#ifndef BENCH_MINIMAL /* the ROM row's application */
#undef configUSE_TASK_NOTIFICATIONS
#define configUSE_TASK_NOTIFICATIONS 1
#undef configUSE_MUTEXES
#define configUSE_MUTEXES 1
#undef INCLUDE_vTaskSuspend
#define INCLUDE_vTaskSuspend 1 /* with it, portMAX_DELAY is for ever */
#define INCLUDE_xTaskResumeFromISR 1
#endif
#define configUSE_COUNTING_SEMAPHORES 1

#ifdef BENCH_HEAP /* blocks from heap_4 */
#undef configSUPPORT_DYNAMIC_ALLOCATION
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configTOTAL_HEAP_SIZE 4096
#endif

#endif
