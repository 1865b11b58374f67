/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_interrupt.h"
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>
#include <stdint.h>

/*
 * An interrupt resumes a more urgent thread, which counts and suspends itself: from the handler's first
 * instruction to the next one of the thread that was interrupted.
 */
static volatile uint32_t count;

static void serve(void *argument);
static void raise(void *argument);

BENCH_THREAD_DEFINE(server, serve, NULL, 3, 512)
BENCH_THREAD_DEFINE(raiser, raise, NULL, 2, 512)

void BENCH_HANDLER(void)
{
    BENCH_THREAD_RESUME_FROM_INTERRUPT(server);
}

static void serve(void *argument)
{
    (void)argument;
    for (;;) {
        BENCH_THREAD_SUSPEND_SELF(server);
        count++;
    }
}

static void raise(void *argument)
{
    (void)argument;
    bench_quiet();
    hrlp_irq_enable_at(BENCH_LINE, HRL_INTERRUPT_KERNEL);
    for (int i = 0; i < BENCH_REPEATS; i++) {
        hrlp_irq_raise(BENCH_LINE);
        BENCH_MARK(stop);
    }
    bench_finish();
}

int main(void)
{
    BENCH_THREAD_START(server);
    BENCH_THREAD_START(raiser);
    bench_run();
    return 1;
}
