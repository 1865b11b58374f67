/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

HRLP_PER_CORE struct hrli_core hrli_core;

void hrli_core_prepare(void)
{
    if (hrli_core.ready.levels[0].next == NULL) {
        hrli_ready_init(&hrli_core.ready);
        hrli_core.threshold = HRL_PRIORITIES;
    }
}

void hrli_core_request_switch(void)
{
    hrlp_cpu_request_switch();
}

void hrli_core_unlock_dispatch(void)
{
    hrli_core_allow_dispatch(hrli_core.running->ready.priority);
}

struct hrl_thread *hrl_thread_current(void)
{
    return hrli_core.running;
}
