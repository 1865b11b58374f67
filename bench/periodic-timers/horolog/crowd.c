/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_chip.h"
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>

/*
 * BENCH_THREADS threads with stacks of BENCH_STACK bytes, one of them more urgent, sleep and hand a token on to the next,
 * BENCH_TIMES times each. Compiled with the kernel's checks, so that a stack that overflows stops the
 * program at the next switch.
 */
#define LIST_1(OF) OF(0)
#define LIST_2(OF) LIST_1(OF), OF(1)
#define LIST_3(OF) LIST_2(OF), OF(2)
#define LIST_4(OF) LIST_3(OF), OF(3)
#define LIST_5(OF) LIST_4(OF), OF(4)
#define LIST_6(OF) LIST_5(OF), OF(5)
#define LIST_7(OF) LIST_6(OF), OF(6)
#define LIST_8(OF) LIST_7(OF), OF(7)
#define LIST_9(OF) LIST_8(OF), OF(8)
#define LIST_10(OF) LIST_9(OF), OF(9)
#define LIST_11(OF) LIST_10(OF), OF(10)
#define LIST_12(OF) LIST_11(OF), OF(11)
#define JOIN(a, b) a##b
#define LIST_OF(n, OF) JOIN(LIST_, n)(OF)
#define LIST(OF) LIST_OF(BENCH_THREADS, OF)
#define TOKEN(n) HRL_SEMAPHORE_INIT((n) == 0, 1)
static struct hrl_semaphore tokens[] = {LIST(TOKEN)};
static uint64_t stacks[BENCH_THREADS][BENCH_STACK / 8];
static uint8_t done;

static void run(void *argument)
{
    struct hrl_semaphore *own = argument;
    struct hrl_semaphore *next = own + 1 < &tokens[BENCH_THREADS] ? own + 1 : tokens;

    for (uint16_t left = BENCH_TIMES; left != 0; left--) {
        (void)hrl_semaphore_take(own, HRL_FOREVER);
        hrl_thread_sleep_for(BENCH_SLEEP_COUNTS);
        (void)hrl_semaphore_give(next);
    }
    if (++done == BENCH_THREADS) {
        BENCH_EXIT = 0;
    }
}

#define THREAD(n) HRL_THREAD_INIT("", run, &tokens[n], 1 + ((n) == 0), stacks[n])
static struct hrl_thread threads[] = {LIST(THREAD)};

int main(void)
{
    for (uint8_t i = 0; i < BENCH_THREADS; i++) {
        hrl_thread_start(&threads[i]);
    }
    hrl_start();
}
