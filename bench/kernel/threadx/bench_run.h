/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <stdint.h>

/*
 * ThreadX makes its objects while it starts: it calls the scenario's main from tx_application_define (support.c),
 * and schedules when that returns.
 */
#define main bench_main
int bench_main(void);

static inline void bench_run(void) {}

/* Stops the tick, which would come into some samples; its cost is no part of a call's. */
static inline void bench_quiet(void)
{
    *(volatile uint32_t *)0xE000E010u &= ~2u; /* SysTick's TICKINT */
}

#endif
