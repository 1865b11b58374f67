/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline.h"

uint32_t hrl_basic_deadline_misses(const struct hrl_basic *task)
{
    for (uint32_t i = 0; i < hrl_gen_deadlines.task_count; i++) {
        if (hrl_gen_deadlines.tasks[i] == task) {
            return hrl_gen_deadlines.jobs[i].misses;
        }
    }
    return 0;
}
