/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline_missed.h"

/* Linked where an application asks for misses and no deadline is monitored. */
const struct hrl_basic *const hrl_gen_deadline_tasks[1];
const uint32_t hrl_gen_deadline_task_count = 0;
uint32_t hrl_gen_deadline_misses[1];
