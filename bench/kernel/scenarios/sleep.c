/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
#include "bench_time.h"
#include <stddef.h>
#include <stdint.h>

/*
 * A thread sleeps 1 ms while 1,000 less urgent ones are asleep, each of which sleeps again as soon as it has
 * woken. In rounds of 20 ms: the sleep begins with the round, and
 *
 * - with BENCH_EVEN the others sleep about a second each, at phases that are scattered evenly: on average one
 *   wakes before the new one, all others later;
 * - else BENCH_BEFORE of them wake within the sleep, at instants of their own; BENCH_AROUND around its end, 3
 *   microseconds apart; the rest later, in the whole milliseconds 3 to 18 of a round, each in one round of 64,
 *   so that never two of these wake together.
 *
 * On a kernel with a tick of 1 ms, before and around are the tick that ends the sleep.
 */
#ifndef BENCH_EVEN /* the build's to say */
#define BENCH_EVEN 1
#define BENCH_BEFORE 0
#define BENCH_AROUND 0
#endif

enum {
    EVEN_PERIOD_BITS = 20, /* of microseconds */
    ROUND_US = 20000,
    FIRST_US = 100000, /* when all are asleep */
    LATER_MS = 3,
    LATER_SLOTS = 16,
    LATER_ROUNDS = 64,
};

static void sleep_often(void *argument)
{
    uint32_t index = (uint32_t)(uintptr_t)argument;
    uint32_t next = FIRST_US, period = ROUND_US;

    if (BENCH_EVEN) {
        next +=
            (index * 2654435769u) >> (32 - EVEN_PERIOD_BITS); /* the golden section's multiples */
        period = 1u << EVEN_PERIOD_BITS;
    } else if (index < BENCH_BEFORE) {
        next += 100u + index * (800u / (BENCH_BEFORE + 1u));
    } else if (index < BENCH_BEFORE + BENCH_AROUND) {
        next += 1000u + 3u * (index - BENCH_BEFORE) - 3u * (BENCH_AROUND / 2u);
    } else {
        next += (LATER_MS + index % LATER_SLOTS) * 1000u + index / LATER_SLOTS * ROUND_US;
        period = LATER_ROUNDS * ROUND_US;
    }
    for (;;) {
        bench_sleep_until_us(next);
        BENCH_MARK(pause);
        next += period;
    }
}

static void sleep_once(void *argument)
{
    uint32_t next = FIRST_US;

    (void)argument;
    for (int i = 0; i < BENCH_REPEATS; i++) {
        bench_sleep_until_us(next);
        BENCH_MARK(start);
        bench_sleep_1_ms();
        BENCH_MARK(stop);
        next += ROUND_US;
    }
    bench_finish();
}

#define TEN(what, n)                                                                               \
    what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) what(n##5) what(n##6) what(n##7)        \
        what(n##8) what(n##9)
#define HUNDRED(what, n)                                                                           \
    TEN(what, n##0)                                                                                \
    TEN(what, n##1)                                                                                \
    TEN(what, n##2)                                                                                \
    TEN(what, n##3)                                                                                \
    TEN(what, n##4)                                                                                \
    TEN(what, n##5)                                                                                \
    TEN(what, n##6)                                                                                \
    TEN(what, n##7)                                                                                \
    TEN(what, n##8)                                                                                \
    TEN(what, n##9)
#define THOUSAND(what)                                                                             \
    HUNDRED(what, 10)                                                                              \
    HUNDRED(what, 11)                                                                              \
    HUNDRED(what, 12)                                                                              \
    HUNDRED(what, 13)                                                                              \
    HUNDRED(what, 14)                                                                              \
    HUNDRED(what, 15)                                                                              \
    HUNDRED(what, 16)                                                                              \
    HUNDRED(what, 17)                                                                              \
    HUNDRED(what, 18)                                                                              \
    HUNDRED(what, 19)

/* Numbers from 1000 on, as 008 is no number. */
#define DEFINE(n) BENCH_THREAD_DEFINE(other_##n, sleep_often, (void *)(n##u - 1000u), 2, 512)
#define START(n) BENCH_THREAD_START(other_##n);

THOUSAND(DEFINE)
BENCH_THREAD_DEFINE(only, sleep_once, NULL, 3, 512)

int main(void)
{
    THOUSAND(START)
    BENCH_THREAD_START(only);
    bench_run();
    return 1;
}
