/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS on the board of several cores (baselines/freertos/smp/FreeRTOSConfig.h), with semaphores that wait
 * for ever.
 */
#ifndef BENCH_FREERTOS_CONFIG_H
#define BENCH_FREERTOS_CONFIG_H

#include "../../../baselines/freertos/smp/FreeRTOSConfig.h"

#undef INCLUDE_vTaskSuspend
#define INCLUDE_vTaskSuspend 1 /* with it, portMAX_DELAY is for ever */
#define configUSE_COUNTING_SEMAPHORES 1

#endif
