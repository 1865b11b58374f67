/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS as it is measured (baselines/freertos/variants/FreeRTOSConfig.h), on the board of several cores: HRL_CORES
 * of them. With more than one, tasks of different priorities may run at once, as an application on this
 * kernel wants, and the kernel allows no selection by CLZ. HRL_AFFINITY is 1 if tasks belong to cores.
 */
#ifndef FREERTOS_SMP_CONFIG_H
#define FREERTOS_SMP_CONFIG_H

#include "../variants/FreeRTOSConfig.h"

#define configMTIME_BASE_ADDRESS 0x0200BFF8u
#define configMTIMECMP_BASE_ADDRESS 0x02004000u
#define configISR_STACK_SIZE_WORDS 256

#if HRL_CORES > 1 /* what the kernel wants for several, and refuses for one */
#define configNUMBER_OF_CORES HRL_CORES
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_CORE_AFFINITY HRL_AFFINITY
#define configUSE_PASSIVE_IDLE_HOOK 1
#undef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#endif

#endif
