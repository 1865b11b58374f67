/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As calls.c, by a table of 8 points in timer cells. No point comes. Each turn ends with a start and the bare
 * store that stops the table's cells, behind the kernel's back: the first group that there is, on the board
 * of docs/guide/timer-cells.md.
 */
#include <hrl_gen_tables.h>

#define RUN_CLEAR (*(volatile uint32_t *)0xFFFFFF1Cu)

enum { FAR = 500000, TURNS = 1100 };

static volatile enum hrl_status status;
static volatile enum hrl_table_state state;

void bench_start_table(void);
__attribute__((noinline)) void bench_start_table(void)
{
    status = hrl_schedule_table_start_relative(&table_bench_cells, FAR);
}

static __attribute__((noinline)) enum hrl_table_state read_state(void)
{
    return hrl_schedule_table_state(&table_bench_cells);
}

void bench_read_state(void);
__attribute__((noinline)) void bench_read_state(void)
{
    state = read_state();
}

void bench_stop_table(void);
__attribute__((noinline)) void bench_stop_table(void)
{
    status = hrl_schedule_table_stop(&table_bench_cells);
}

static __attribute__((noinline)) void store(void)
{
    RUN_CLEAR = 1u << 1;
}

void bench_stop_by_store(void);
__attribute__((noinline)) void bench_stop_by_store(void)
{
    store();
    status = HRL_OK;
}

void bench_calls(void);
void bench_calls(void)
{
    for (unsigned i = 0; i < TURNS; i++) {
        bench_start_table();
        bench_read_state();
        bench_stop_by_store();
        bench_stop_table();
    }
}
