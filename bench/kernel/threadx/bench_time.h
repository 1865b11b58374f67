/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TIME_H
#define BENCH_TIME_H

#include "tx_api.h"
#include <stdint.h>

static inline void bench_sleep_s(uint32_t seconds)
{
    (void)tx_thread_sleep(seconds * TX_TIMER_TICKS_PER_SECOND);
}

#endif
