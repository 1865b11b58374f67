/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SCHEDULE_H
#define BENCH_SCHEDULE_H

#include <hrl/counter.h>

/* The schedule tables of `horolog bench tables`. What drives them: by_clock.c or by_software.c. */
extern struct hrl_counter bench_counter;

#endif
