/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CORE_H
#define HRLI_CORE_H

#include "hrlp_cpu.h"
#include "ready_set.h"
#include "thread.h"
#include <stdint.h>

/*
 * What one processor core is doing.
 */
struct hrli_core {
    struct hrli_ready_set ready;
    struct hrl_thread *running;
    /*
     * An interrupt asks for a dispatch if it made a thread ready above this level: the running thread's,
     * or HRLI_READY_LEVELS while dispatch is held off.
     */
    volatile uint32_t threshold;
};

/* One today. What is released to a core names its ready set, so that nothing assumes there is one. */
extern struct hrli_core hrli_core;

/* To be called at the end of every interrupt that may have released a thread. Context: its handler. */
static inline void hrli_core_dispatch_after_interrupt(void)
{
    if (hrli_ready_top(&hrli_core.ready) > hrli_core.threshold) {
        hrlp_cpu_request_switch();
    }
}

#endif
