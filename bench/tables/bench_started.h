/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_STARTED_H
#define BENCH_STARTED_H

#include <hrl/schedule_table.h>

/* The table that activates the task or the thread `high`: gives.c or activates.c. */
extern struct hrl_schedule_table bench_table;

/* The thread that starts it, and then ends its job, or works without an end: without divisions, or with them. */
void bench_starts(void);
void bench_starts_and_works(void);
void bench_starts_and_divides(void);

#endif
