/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SYNCHRONISED_H
#define BENCH_SYNCHRONISED_H

#include <hrl/types.h>
#include <stdbool.h>
#include <stdint.h>

/* The table, in counts; the board's are 40 ns. system.toml says the same. */
enum { BENCH_DURATION = 50000, BENCH_PRECISION = 75 };

/* What sets a run apart; in a file that the bench writes. */
extern const int32_t bench_ppm;
extern const bool bench_says_it;

/* The table: synchronised.c has a schedule table, dispatched.c a dispatcher table. */
enum hrl_status bench_start(uint32_t offset);
enum hrl_status bench_synchronise(uint32_t position);

void bench_master(void);
void bench_served(void);
void bench_other(void);

#endif
