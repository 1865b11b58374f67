/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_line.h"
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_service.h"
#include "bench_thread.h"
#include <stddef.h>
#include <stdint.h>

/*
 * A turn: a thread raises an interrupt; the handler counts and resumes a thread of a higher priority, which runs at
 * once, counts and suspends itself.
 */
static volatile uint32_t handled, served, count;

static void raise_often(void *argument);
static void serve(void *argument);

BENCH_THREAD_DEFINE(raiser, raise_often, NULL, 2, 512)
BENCH_THREAD_DEFINE(server, serve, NULL, 3, 512)
static const bench_thread threads[] = {BENCH_THREAD(raiser), BENCH_THREAD(server)};

/* needs the above */
#include "turn_threads.h"

BENCH_SERVICE enum bench_status raise(void)
{
    return BENCH_STATUS(bench_line_raise());
}

BENCH_LINE_HANDLER(handle)
{
    BENCH_BESIDE(handled++);
    (void)resume_from_interrupt(1);
}

static void serve(void *argument)
{
    (void)argument;
    for (;;) {
        (void)suspend_self(1);
        BENCH_BESIDE(served++);
    }
}

static void raise_often(void *argument)
{
    (void)argument;
    bench_quiet();
    BENCH_LINE_ATTACH(handle);
    for (;;) {
        (void)raise();
        count++;
        BENCH_MARK(turn);
    }
}

int main(void)
{
    BENCH_THREAD_START(server);
    BENCH_THREAD_START(raiser);
    bench_run();
    return 1;
}
