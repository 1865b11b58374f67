/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BASIC_START_H
#define HRLI_BASIC_START_H

#include "basic_name.h"
#include "check.h"
#include "clock.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include "hrlp_guard.h"
#include "hrlp_irq.h"
#include "hrlp_trace.h"
#include "hrlp_upcalls.h"
#include <hrl/hooks.h>
#include <hrl/kernel.h>
#include <stddef.h>

/*
 * A system without threads: no ready queue, no idle thread, no switch. The generated code says
 * HRLI_BASIC_START_DEFINE, which defines hrl_start and what the port's report asks for; then
 * nothing of the kernel's threads is linked. It idles on the stack of the start.
 *
 * `prepare` lets lines and cells through, before the clock starts; `start` starts the cells, after
 * that. Context of both: start-up, interrupts masked.
 */

/* Linked if something in the program calls hrl_now. */
extern __typeof(hrli_clock_start) hrli_clock_start __attribute__((weak));
extern __typeof(hrli_clock_wrapped) hrli_clock_wrapped __attribute__((weak));

static inline void hrli_basic_clock_start(void)
{
    if (hrli_clock_start != NULL) {
        hrli_clock_start();
    } else {
        hrlp_clock_start();
        hrlp_trace_start();
    }
}

/* The handler of the clock's wrap, acknowledged, calls this instead of hrli_clock_wrapped. */
static inline void hrli_basic_clock_wrapped(void)
{
    if (hrli_clock_wrapped != NULL) {
        hrli_clock_wrapped();
    }
}

#define HRLI_BASIC_START_DEFINE(prepare, start)                                                    \
    void hrl_start(void)                                                                           \
    {                                                                                              \
        HRLI_CHECK(!hrlp_cpu_in_interrupt(), "hrl_start: once, in start-up code");                 \
        (void)hrlp_irq_lock();                                                                     \
        if (!hrlp_guard_start(NULL)) {                                                             \
            HRLP_CPU_STOP("HRL_GUARD is set, but this processor has no memory protection unit",    \
                          __FILE__, __LINE__);                                                     \
        }                                                                                          \
        prepare();                                                                                 \
        hrli_basic_clock_start();                                                                  \
        start();                                                                                   \
        hrlp_cpu_idle();                                                                           \
    }                                                                                              \
    HRLP_CONST char *hrli_cpu_current_name(void)                                                   \
    {                                                                                              \
        return hrli_basic_current_name(HRLP_TEXT("idle"));                                         \
    }

#endif
