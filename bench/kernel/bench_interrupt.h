/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_INTERRUPT_H
#define BENCH_INTERRUPT_H

#include "hrlp_irq.h"

/*
 * An interrupt at the kernel's priority that software raises: a line with its timer off. Raising is
 * one store, and the interrupt comes before the next instruction.
 */
enum { BENCH_LINE = 9 };
#define BENCH_HANDLER TIMER1_Handler

void BENCH_HANDLER(void);

#endif
