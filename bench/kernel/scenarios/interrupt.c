/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_interrupt.h"
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
/* notify/ needs the above */
#include "bench_semaphore.h"
#include <stddef.h>

/* From the handler's first instruction to the return from the taking of what it gives. */
static void take(void *argument);
static void raise(void *argument);

BENCH_THREAD_DEFINE(taker, take, NULL, 3, 512)
BENCH_THREAD_DEFINE(raiser, raise, NULL, 2, 512)
BENCH_SEMAPHORE_DEFINE(token, taker);

void BENCH_HANDLER(void)
{
    BENCH_SEMAPHORE_GIVE_FROM_INTERRUPT(token);
}

static void take(void *argument)
{
    (void)argument;
    for (;;) {
        BENCH_SEMAPHORE_TAKE(token);
        BENCH_MARK(stop);
    }
}

static void raise(void *argument)
{
    (void)argument;
    bench_quiet();
    hrlp_irq_enable_at(BENCH_LINE, HRL_INTERRUPT_KERNEL);
    for (int i = 0; i < BENCH_REPEATS; i++) {
        hrlp_irq_raise(BENCH_LINE);
    }
    bench_finish();
}

int main(void)
{
    BENCH_SEMAPHORE_PREPARE(token);
    BENCH_THREAD_START(taker);
    BENCH_THREAD_START(raiser);
    bench_run();
    return 1;
}
