/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS as it is measured everywhere (baselines/freertos/FreeRTOSConfig.h), and what is asked for beside: tasks
 * that end (HRL_GEN_RELEASES), which suspend themselves; no tick while nothing is due (BASELINE_TICKLESS); what bodies
 * call by <hrl/portable.h> (BASELINE_PORTABLE). Where nothing is asked for it is that file and nothing else.
 */
#ifndef FREERTOS_VARIANTS_CONFIG_H
#define FREERTOS_VARIANTS_CONFIG_H

#include "../FreeRTOSConfig.h"

#if HRL_GEN_RELEASES != 0 || BASELINE_PORTABLE /* portMAX_DELAY is then for ever */
#undef INCLUDE_vTaskSuspend
#define INCLUDE_vTaskSuspend 1
#endif

#if BASELINE_PORTABLE
#define configUSE_COUNTING_SEMAPHORES 1
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

#endif
