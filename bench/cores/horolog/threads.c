/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"

enum { STACK_WORDS = 128, THREADS = 2 };

/* Each core's lie in memory of its own. */
#define OF_CORE(core)                                                                              \
    HRL_ON_CORE(core) static uint64_t stacks_##core[THREADS][STACK_WORDS];                         \
    HRL_ON_CORE(core) static struct hrl_thread threads_##core[THREADS];
#define LIST_CORE(core) {threads_##core, stacks_##core},

BENCH_EACH_CORE(OF_CORE)

static const struct {
    struct hrl_thread *threads;
    uint64_t (*stacks)[STACK_WORDS];
} cores[] = {BENCH_EACH_CORE(LIST_CORE)};

void bench_thread(unsigned core, unsigned number, void (*entry)(void *argument))
{
    struct hrl_thread *thread = &cores[core].threads[number];

    thread->ready.base_priority = 2;
    thread->name = "thread";
    thread->stack = cores[core].stacks[number];
    thread->stack_bytes = sizeof cores[core].stacks[number];
    thread->entry = entry;
#if HRL_CORES > 1 /* as threads have no such field on one core */
    thread->core = (hrli_number)core;
#endif
    hrl_thread_start(thread);
}
