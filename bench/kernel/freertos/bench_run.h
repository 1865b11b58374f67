/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "FreeRTOS.h"
#include "task.h"
#include <stdint.h>

static inline void bench_run(void)
{
    vTaskStartScheduler();
}

/* Stops the tick, which would come into some samples; its cost is no part of a call's. */
static inline void bench_quiet(void)
{
    *(volatile uint32_t *)0xE000E010u &= ~2u; /* SysTick's TICKINT */
}

#endif
