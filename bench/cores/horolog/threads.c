/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"

enum { STACK_WORDS = 128, THREADS = 2 };

static uint64_t stacks[BENCH_CORES][THREADS][STACK_WORDS];
static struct hrl_thread threads[BENCH_CORES][THREADS];

void bench_thread(unsigned core, unsigned number, void (*entry)(void *argument))
{
    struct hrl_thread *thread = &threads[core][number];

    *thread = (struct hrl_thread)HRL_THREAD_INIT("thread", entry, NULL, 2, stacks[core][number]);
    hrl_thread_start(thread);
}
