/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* Table III: a table in timer cells activates the task or the thread `high`, every 3,001 counts. */
#include "../dispatch/bench_dispatch.h"
#include "bench_started.h"
#include <hrl_gen_tables.h>

enum { LATER = 6000 };

void bench_starts(void)
{
    (void)hrl_schedule_table_start_relative(&table_bench_cells, LATER);
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
