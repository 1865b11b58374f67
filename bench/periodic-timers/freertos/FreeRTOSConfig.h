/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS with software timers on an ATmega128: as lean as it is measured everywhere
 * (baselines/freertos/FreeRTOSConfig.h), in as little RAM as it takes on chips of 8 bits. BENCH_CPU_HZ and BENCH_TICK_HZ
 * are the program's.
 */
#ifndef BENCH_FREERTOS_CONFIG_H
#define BENCH_FREERTOS_CONFIG_H

#include <avr/io.h>

#define configCPU_CLOCK_HZ BENCH_CPU_HZ
#define configTICK_RATE_HZ BENCH_TICK_HZ
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_16_BITS
#define configMAX_PRIORITIES 4
#define configMINIMAL_STACK_SIZE 128
#define configMAX_TASK_NAME_LEN 1

#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 0
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#define configUSE_TICKLESS_IDLE 0
#define configUSE_IDLE_HOOK 1 /* sleeps, as the others do */
#define configUSE_TICK_HOOK 0
#define configUSE_TASK_NOTIFICATIONS 0
#define configUSE_MUTEXES 0
#define configUSE_TRACE_FACILITY 0
#define configGENERATE_RUN_TIME_STATS 0
#define configCHECK_FOR_STACK_OVERFLOW 0
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 0
#define configENABLE_MPU 0

#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY (configMAX_PRIORITIES - 1)
#define configTIMER_QUEUE_LENGTH 8
#define configTIMER_TASK_STACK_DEPTH 192

#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 0
#define INCLUDE_vTaskDelete 0
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_vTaskPrioritySet 0
#define INCLUDE_uxTaskPriorityGet 0
#define INCLUDE_xTaskGetCurrentTaskHandle 0

#endif
