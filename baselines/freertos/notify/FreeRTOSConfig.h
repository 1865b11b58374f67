/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS as it is measured everywhere, where a cell notifies its tasks (notify.c): it has notifications, waits
 * for them without end, and does not tick.
 */
#ifndef FREERTOS_NOTIFY_CONFIG_H
#define FREERTOS_NOTIFY_CONFIG_H

#include "../variants/FreeRTOSConfig.h"

#undef configUSE_TASK_NOTIFICATIONS
#define configUSE_TASK_NOTIFICATIONS 1
#undef INCLUDE_vTaskSuspend
#define INCLUDE_vTaskSuspend 1 /* portMAX_DELAY is then for ever */
#undef xPortSysTickHandler
#define xPortSysTickHandler baseline_no_tick /* SysTick may be the cell */

#endif
