/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SYNCHRONISED_H
#define BENCH_SYNCHRONISED_H

#include <stdbool.h>
#include <stdint.h>

/* What sets a run apart; in a file that the bench writes. */
extern const int32_t bench_ppm;
extern const bool bench_says_it;

void bench_master(void);
void bench_served(void);
void bench_other(void);

#endif
