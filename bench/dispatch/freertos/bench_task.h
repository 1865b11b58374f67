/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TASK_H
#define BENCH_TASK_H

#include "FreeRTOS.h"
/* needs the above */
#include "task.h"

/* Task number `index`, less than BENCH_TASKS, at `priority`; the scheduler does not run yet. */
TaskHandle_t bench_task_create(unsigned index, TaskFunction_t entry, UBaseType_t priority);

#endif
