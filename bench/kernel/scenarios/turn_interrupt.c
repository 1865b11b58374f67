/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_line.h"
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>
#include <stdint.h>

/*
 * A turn: the thread raises an interrupt, the handler counts and gives a semaphore, and the thread takes it.
 */
static volatile uint32_t count, handled;

static void run(void *argument);

BENCH_THREAD_DEFINE(only, run, NULL, 2, 512)

/* needs the thread */
#include "turn_token.h"

BENCH_SERVICE enum bench_status give_from_interrupt(unsigned number)
{
    return BENCH_STATUS(bench_semaphore_give_from_interrupt(
        BENCH_NUMBERED(tokens, number, BENCH_SEMAPHORE(token))));
}

BENCH_SERVICE enum bench_status raise(void)
{
    return BENCH_STATUS(bench_line_raise());
}

BENCH_LINE_HANDLER(handle)
{
    BENCH_BESIDE(handled++);
    (void)give_from_interrupt(0);
}

static void run(void *argument)
{
    (void)argument;
    bench_quiet();
    BENCH_LINE_ATTACH(handle);
    for (;;) {
        (void)raise();
        if (BENCH_FAILED_IN(take(0))) {
            break;
        }
        count++;
        BENCH_MARK(turn);
    }
    bench_finish();
}

int main(void)
{
    prepare_token();
    BENCH_THREAD_START(only);
    bench_run();
    return 1;
}
