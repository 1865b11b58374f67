/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_objects.h"
#include <stddef.h>
#include <stdint.h>

/*
 * Two threads, a semaphore and an alarm, on a chip with little memory. bench_objects.h lies in a kernel's folder, and
 * says what they are there. The alarm gives the semaphore every 10 ms; the more urgent thread takes it, and the other works all the time.
 * Only sizes count; that it runs shows in the program's end, behind 100 tokens.
 */
enum { TOKENS = 100, STACK = 224 };

#define BENCH_EXIT                                                                                 \
    (*(volatile uint8_t *)0xE1u) /* ends the simulation, with the status that is written */

static volatile uint16_t turns;

static void serve(void *argument);
static void work(void *argument);

BENCH_SEMAPHORE(token)
BENCH_ALARM(ticker, token)
BENCH_THREAD(server, serve, 2, STACK)
BENCH_THREAD(worker, work, 1, STACK)

static void serve(void *argument)
{
    (void)argument;
    BENCH_ALARM_BEGIN(ticker);
    for (uint8_t i = 0; i < TOKENS; i++) {
        BENCH_TAKE(token);
    }
    BENCH_EXIT = 0;
    for (;;) {
        BENCH_TAKE(token);
    }
}

static void work(void *argument)
{
    (void)argument;
    for (;;) {
        turns++;
    }
}

int main(void)
{
    BENCH_SEMAPHORE_BEGIN(token);
    BENCH_THREAD_BEGIN(server);
    BENCH_THREAD_BEGIN(worker);
    BENCH_RUN();
}
