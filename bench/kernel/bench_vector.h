/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_VECTOR_H
#define BENCH_VECTOR_H

#include "bench_interrupt.h"
#include <stdbool.h>

/*
 * BENCH_LINE on kernels that attach nothing: its handler stands in the table of vectors, and raising it is a
 * store into the interrupt controller.
 */
#define BENCH_LINE_HANDLER(function) void BENCH_HANDLER(void)
#define BENCH_LINE_ATTACH(function) hrlp_irq_enable_at(BENCH_LINE, HRL_INTERRUPT_KERNEL)

static inline bool bench_line_raise(void)
{
    hrlp_irq_raise(BENCH_LINE);
    return true;
}

#endif
