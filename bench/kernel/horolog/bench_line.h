/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_LINE_H
#define BENCH_LINE_H

#include "bench_interrupt.h"
#include <hrl/interrupt.h>
#include <stddef.h>

/* BENCH_LINE with a handler that is attached, by the public calls only. */
#define BENCH_LINE_HANDLER(function) static void function(void *argument)

static inline void bench_line_attach(void (*handler)(void *argument))
{
    hrl_interrupt_attach(BENCH_LINE, handler, NULL);
    (void)hrl_interrupt_enable(BENCH_LINE, HRL_INTERRUPT_KERNEL);
}

#define BENCH_LINE_ATTACH(function) bench_line_attach(function)

static inline bool bench_line_raise(void)
{
    return hrl_interrupt_raise(BENCH_LINE) == HRL_OK;
}

#endif
