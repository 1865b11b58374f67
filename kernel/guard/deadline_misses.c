/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline_missed.h"
#include <hrl/hooks.h>

/* Linked, with the counts, where an application asks for them. */
void hrli_deadline_missed(uint32_t number)
{
    hrl_gen_deadline_misses[number]++;
    hrl_basic_deadline_hook(hrl_gen_deadline_tasks[number]);
}

uint32_t hrl_basic_deadline_misses(const struct hrl_basic *task)
{
    for (uint32_t i = 0; i < hrl_gen_deadline_task_count; i++) {
        if (hrl_gen_deadline_tasks[i] == task) {
            return hrl_gen_deadline_misses[i];
        }
    }
    return 0;
}
