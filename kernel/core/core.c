/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"
#include "basic_name.h"
#include "hrlp_upcalls.h"

struct hrli_core hrli_core;

void hrli_core_prepare(void)
{
    if (hrli_core.ready.levels[0].next == NULL) {
        hrli_ready_init(&hrli_core.ready);
        hrli_core.threshold = HRL_LEVELS;
    }
}

void hrli_core_request_switch(void)
{
    hrlp_cpu_request_switch();
}

void hrli_core_end_hold(void)
{
    hrli_core_allow_dispatch(hrli_core.running->ready.level);
}

const char *hrli_cpu_current_name(void)
{
    const char *name = hrli_core.running == NULL ? "start-up" : hrli_core.running->name;

    return HRL_BASIC_TASKS ? hrli_basic_current_name(name) : name;
}

struct hrl_thread *hrl_thread_current(void)
{
    return hrli_core.running;
}
