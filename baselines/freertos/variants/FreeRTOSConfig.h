/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS as it is measured everywhere (baselines/freertos/FreeRTOSConfig.h), and what may be asked for
 * beside: tasks that end (HRL_GEN_RELEASES), which suspend themselves; no tick while nothing is due
 * (BASELINE_TICKLESS); no tick at all, and tasks that a cell notifies (BASELINE_NOTIFY). Where none of these is
 * asked for it is that file and nothing else.
 */
#ifndef FREERTOS_VARIANTS_CONFIG_H
#define FREERTOS_VARIANTS_CONFIG_H

#include "../FreeRTOSConfig.h"

#if HRL_GEN_RELEASES != 0
#undef INCLUDE_vTaskSuspend
#define INCLUDE_vTaskSuspend 1
#endif

#if BASELINE_TICKLESS
#undef configUSE_TICKLESS_IDLE
#define configUSE_TICKLESS_IDLE 1
#undef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK 0

/* It ticks up to t = 0, so that t = 0 is the same tick in both baselines. */
#define configPRE_SUPPRESS_TICKS_AND_SLEEP_PROCESSING(ticks)                                       \
    if (xTickCount < HRL_GEN_START_TICKS) {                                                        \
        (ticks) = 0;                                                                               \
    }

/* WFI loses time on the emulator: a loop instead, and 0 to say that the port shall not sleep. */
void baseline_sleep(void);
#define configPRE_SLEEP_PROCESSING(ticks)                                                          \
    baseline_sleep();                                                                              \
    (ticks) = 0
#endif

#if BASELINE_NOTIFY
#undef configUSE_TASK_NOTIFICATIONS
#define configUSE_TASK_NOTIFICATIONS 1
#undef INCLUDE_vTaskSuspend
#define INCLUDE_vTaskSuspend 1 /* portMAX_DELAY is then for ever */
#undef xPortSysTickHandler
#define xPortSysTickHandler baseline_no_tick /* SysTick may be the cell */
#endif

#endif
