/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS as it is measured everywhere (baselines/freertos/FreeRTOSConfig.h), on a processor without CLZ: its port
 * ARM_CM0 has no selection of tasks by that, so that it takes the general one, which looks through the priorities from
 * the highest that is in use on.
 */
#ifndef FREERTOS_ARMV6M_CONFIG_H
#define FREERTOS_ARMV6M_CONFIG_H

#include "../variants/FreeRTOSConfig.h"

#undef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0

#endif
