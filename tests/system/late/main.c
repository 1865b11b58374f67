/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Two threads wait for 300 s, one asleep and one for a semaphore, and are suspended from 1 to 181 s. A third
 * one moves the clock of the MPS2, so that it takes no time: each sleep of a millisecond behind
 * that has what is due served.
 */
#define CLOCK_LOAD                                                                                 \
    (*(volatile uint32_t *)0x40002020u) /* the dual timer's second channel; counts down */
#define SECONDS(n) ((hrl_counts)(n)*HRL_CLOCK_HZ)

void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);

HRL_SEMAPHORE_DEFINE(never, 0, 1);
static hrl_counts woken[2];

static void sleep_for_long(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(SECONDS(300));
    woken[0] = hrl_now();
}

static void wait_for_long(void *argument)
{
    (void)argument;
    if (hrl_semaphore_take(&never, SECONDS(300)) == HRL_TIMED_OUT) {
        woken[1] = hrl_now();
    }
}

HRL_THREAD_DEFINE(sleeper, sleep_for_long, NULL, 2, 1024);
HRL_THREAD_DEFINE(waiter, wait_for_long, NULL, 2, 1024);

/* Through the wrap, if that is on the way, which the clock has to meet by itself. */
static void move_clock(hrl_counts to)
{
    uint32_t high = (uint32_t)(hrl_now() >> 32);

    if (to >> 32 != high) {
        CLOCK_LOAD = 100;
        while (hrl_now() >> 32 == high) {
        }
    }
    CLOCK_LOAD = ~(uint32_t)to;
    hrl_thread_sleep_for(HRL_MS(1));
}

static int woke_at(hrl_counts instant, hrl_counts earliest)
{
    return instant >= earliest && instant < earliest + HRL_MS(2);
}

static void control(void *argument)
{
    (void)argument;
    hrl_thread_sleep_for(HRL_MS(1));
    move_clock(SECONDS(1));
    hrl_thread_suspend(&sleeper);
    hrl_thread_suspend(&waiter);
    for (unsigned seconds = 61; seconds <= 181; seconds += 60) {
        move_clock(SECONDS(seconds));
    }
    hrl_thread_resume(&sleeper);
    hrl_thread_resume(&waiter);
    move_clock(SECONDS(240));
    move_clock(SECONDS(300) - HRL_MS(5));
    hrlp_cpu_print(woken[0] == 0 && woken[1] == 0 ? "not before\n" : "too early\n");
    hrl_thread_sleep_for(HRL_MS(10));
    hrlp_cpu_print(woke_at(woken[0], SECONDS(300)) ? "the sleeper is on time\n" : "it sleeps\n");
    hrlp_cpu_print(woke_at(woken[1], SECONDS(300)) ? "the waiter is on time\n" : "it waits\n");
    hrlp_cpu_halt(0);
}

HRL_THREAD_DEFINE(controller, control, NULL, 1, 1024);

int main(void)
{
    hrl_thread_start(&sleeper);
    hrl_thread_start(&waiter);
    hrl_thread_start(&controller);
    hrl_start();
    return 1;
}
