/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"
#include "hrlp_upcalls.h"

struct hrli_core hrli_core;

void hrli_core_prepare(void)
{
    if (hrli_core.ready.levels[0].next == NULL) {
        hrli_ready_init(&hrli_core.ready);
    }
}

void hrli_core_request_switch(void)
{
    hrlp_cpu_request_switch();
}

const char *hrli_cpu_current_name(void)
{
    return hrli_core.running == NULL ? "start-up" : hrli_core.running->name;
}

struct hrl_thread *hrl_thread_current(void)
{
    return hrli_core.running;
}
