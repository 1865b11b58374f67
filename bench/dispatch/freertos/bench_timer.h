/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TIMER_H
#define BENCH_TIMER_H

#include <stdint.h>

/* Calls bench_timer_expired every `counts` from now on, from an interrupt that may call FreeRTOS. */
void bench_timer_start(uint32_t counts);
void bench_timer_expired(void);

#endif
