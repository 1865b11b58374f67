/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "../dispatch/bench_dispatch.h"
#include "bench_started.h"

enum { LATER = 6000 };

void bench_starts(void)
{
    (void)hrl_schedule_table_start_relative(&bench_table, LATER);
}

void bench_starts_and_works(void)
{
    bench_starts();
    bench_background();
}

void bench_starts_and_divides(void)
{
    bench_starts();
    bench_dividing();
}
