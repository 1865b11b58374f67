/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_queue.h"
#include "bench_run.h"
#include "bench_service.h"
#include "bench_thread.h"
#include <stddef.h>
#include <stdint.h>

/* A turn: the thread sends itself 16 bytes, receives them, and looks whether they are those. */
static volatile uint32_t count;
static uint32_t sent[4] = {1, 2, 3, 4}, received[4];

static void run(void *argument);

BENCH_THREAD_DEFINE(only, run, NULL, 2, 512)
BENCH_QUEUE_DEFINE(queue, 16, 4)
static bench_queue queues[1];

BENCH_SERVICE enum bench_status send(unsigned number, void *message)
{
    return BENCH_STATUS(
        bench_queue_send(BENCH_NUMBERED(queues, number, BENCH_QUEUE(queue)), message));
}

BENCH_SERVICE enum bench_status receive(unsigned number, void *message)
{
    return BENCH_STATUS(
        bench_queue_receive(BENCH_NUMBERED(queues, number, BENCH_QUEUE(queue)), message));
}

static bool differs(void)
{
#ifdef BENCH_DIRECT
    return false;
#else
    return received[3] != sent[3];
#endif
}

static void run(void *argument)
{
    (void)argument;
    bench_quiet();
    for (;;) {
        (void)send(0, sent);
        (void)receive(0, received);
        if (differs()) {
            break;
        }
        BENCH_BESIDE(sent[3]++);
        count++;
        BENCH_MARK(turn);
    }
    bench_finish();
}

int main(void)
{
    BENCH_QUEUE_PREPARE(queue);
    queues[0] = BENCH_QUEUE(queue);
    BENCH_THREAD_START(only);
    bench_run();
    return 1;
}
