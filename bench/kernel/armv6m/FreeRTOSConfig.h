/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The bench's configuration on a processor without CLZ, by which FreeRTOS's port has no selection of tasks. */
#ifndef BENCH_ARMV6M_CONFIG_H
#define BENCH_ARMV6M_CONFIG_H

#include "../freertos/FreeRTOSConfig.h"

#undef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0

#endif
