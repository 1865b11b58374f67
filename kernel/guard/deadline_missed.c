/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline_missed.h"
#include "hrlp_cpu.h"
#include <hrl/hooks.h>

/* Without this hook a missed deadline stops the program. */
__attribute__((weak)) void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    (void)task;
    HRLP_CPU_STOP("a missed deadline, and no hrl_basic_deadline_hook", __FILE__, __LINE__);
}

/* deadline_misses.c has one that counts, too. */
__attribute__((weak)) void hrli_deadline_missed(uint32_t number)
{
    hrl_basic_deadline_hook(hrl_gen_deadline_tasks[number]);
}
