/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_GEN_FREERTOS_CONFIG_H
#define HRL_GEN_FREERTOS_CONFIG_H

/* The port divides the one by the other: a tick of BENCH_PERIOD counts, which need not divide a second. */
#define HRL_GEN_CPU_HZ BENCH_PERIOD
#define HRL_GEN_TICK_HZ 1u
#define HRL_GEN_START_TICKS 2u

#endif
