/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <hrl/kernel.h>

static inline void bench_run(void)
{
    hrl_start();
}

/* Nothing is armed while no thread sleeps. */
static inline void bench_quiet(void) {}

#endif
