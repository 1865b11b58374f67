/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_queue.h"
#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>
#include <stdint.h>

/* A thread sends itself 16 bytes, by copy both times; no other thread uses the queue. */
static void run(void *argument);

BENCH_THREAD_DEFINE(only, run, NULL, 2, 512)
BENCH_QUEUE_DEFINE(queue, 16, 4)

static void run(void *argument)
{
    uint32_t message[4] = {1, 2, 3, 4};

    (void)argument;
    bench_quiet();
    for (int i = 0; i < BENCH_REPEATS; i++) {
        BENCH_MARK(start);
        BENCH_QUEUE_SEND(queue, message);
        BENCH_QUEUE_RECEIVE(queue, message);
        BENCH_MARK(stop);
    }
    bench_finish();
}

int main(void)
{
    BENCH_QUEUE_PREPARE(queue);
    BENCH_THREAD_START(only);
    bench_run();
    return 1;
}
