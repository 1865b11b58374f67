/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"
#include "hrlp_upcalls.h"

struct hrli_core hrli_core;

/*
 * An interrupt between the reads of the ready set and the write of `threshold` releases by the old
 * threshold; if that is not above the new thread it has asked for another switch, which finds it. So
 * this needs no lock: only threads take nodes out of the set, and none runs here.
 */
void *hrli_cpu_switch(void *saved_stack_pointer)
{
    struct hrl_thread *next = hrli_thread_of(hrli_ready_first(&hrli_core.ready));

    hrli_core.running->stack_pointer = saved_stack_pointer;
    hrli_core.running = next;
    hrli_core.threshold = next->waiter.ready.level;
    return next->stack_pointer;
}

const char *hrli_cpu_current_name(void)
{
    return hrli_core.running == NULL ? "start-up" : hrli_core.running->name;
}

struct hrl_thread *hrl_thread_current(void)
{
    return hrli_core.running;
}
