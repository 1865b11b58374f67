/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_print.h"
#include "bench_run.h"
#include "bench_thread.h"
#include "bench_time.h"
#include <stddef.h>
#include <stdint.h>

/*
 * One thread counts how often it takes and gives a semaphore, another prints that every 30 s. Only sizes count. As
 * benchmarks do that run on every kernel: by services that know objects by number (bench_service.h), with a printf
 * and a report in words. With BENCH_DIRECT: by the kernel's calls, with the digits alone.
 */
enum { SECONDS = 30 };
static volatile uint32_t count;

static void turn(void *argument);
static void report(void *argument);

BENCH_THREAD_DEFINE(only, turn, NULL, 2, 512)
BENCH_THREAD_DEFINE(reporter, report, NULL, 3, 512)

/* needs the thread */
#include "turn_token.h"

BENCH_SERVICE void sleep_for(uint32_t seconds)
{
    bench_sleep_s(seconds);
}

static void turn(void *argument)
{
    (void)argument;
    (void)give(0);
    for (;;) {
        (void)take(0);
        if (BENCH_FAILED_IN(give(0))) {
            break;
        }
        count++;
    }
}

#ifdef BENCH_DIRECT
static void print(uint32_t number)
{
    char text[] = "          \n";
    char *digit = &text[sizeof text - 2];

    do {
        *--digit = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    hrlp_cpu_print(digit);
}

static void report(void *argument)
{
    (void)argument;
    for (;;) {
        sleep_for(SECONDS);
        print(count);
    }
}
#else
static void report(void *argument)
{
    uint32_t before = 0, seconds = 0;

    (void)argument;
    for (;;) {
        sleep_for(SECONDS);
        seconds += SECONDS;
        bench_print("A semaphore is taken and given, after %lu s:\n", (unsigned long)seconds);
        if (count == before) {
            bench_print("  error: the counter stands, a call must have failed\n");
        }
        bench_print("  turns in this period: %10lu\n\n", (unsigned long)(count - before));
        before = count;
    }
}
#endif

int main(void)
{
    prepare_token();
    BENCH_THREAD_START(only);
    BENCH_THREAD_START(reporter);
    bench_run();
    return 1;
}
