/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/interrupt.h>
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/spinlock.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

/*
 * The clock of mps2-an521 or pico-x2 is put 100 ms before one wrap after the other. Around each, both cores read the
 * time as fast as they can, and a thread of each sleeps across it. The clock's interrupt comes to both cores, and each
 * counts for itself.
 */
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);

enum { WRAPS = 5 };
#define BEFORE HRL_MS(100)
#define BEHIND HRL_MS(2)

#if HRL_CLOCK_HZ ==                                                                                \
    1000000u /* as pico-x2 has another clock, TIMER: writing the upper half sets both */
#define LOW_HALF (*(volatile uint32_t *)0x40054004u)
#define HIGH_HALF (*(volatile uint32_t *)0x40054000u)

static void set_clock(hrl_counts to)
{
    LOW_HALF = (uint32_t)to;
    HIGH_HALF = (uint32_t)(to >> 32);
}
#else
/* The dual timer's channels: counts by 256, and counts; writing LOAD sets the counter. */
#define SLOW_LOAD (*(volatile uint32_t *)0x50002000u)
#define CLOCK_LOAD (*(volatile uint32_t *)0x50002020u)

static void set_clock(hrl_counts to)
{
    SLOW_LOAD = ~(uint32_t)(to >> 8);
    CLOCK_LOAD = ~(uint32_t)to;
}
#endif

static void watch(void *argument);
static void sleep(void *argument);
static void lead(void *argument);

HRL_THREAD_DEFINE_ON(0, watcher_0, watch, (void *)0, 2, 1024);
HRL_THREAD_DEFINE_ON(1, watcher_1, watch, (void *)1, 2, 1024);
HRL_THREAD_DEFINE_ON(0, sleeper_0, sleep, (void *)0, 3, 1024);
HRL_THREAD_DEFINE_ON(1, sleeper_1, sleep, (void *)1, 3, 1024);
HRL_THREAD_DEFINE(leader, lead, NULL, 4, 1024);

HRL_SPINLOCK_DEFINE(shared, 1);
HRL_SEMAPHORE_DEFINE(ended, 0, 4);
static struct hrl_semaphore begun[4]; /* of watcher 0, 1, sleeper 0, 1 */

static hrl_counts wrap, latest;
static volatile uint32_t reads[2];
static bool in_order = true, counted = true, slept = true;

static void check(bool holds, const char *what)
{
    hrlp_cpu_print(what);
    hrlp_cpu_print(holds ? ": yes\n" : ": NO\n");
}

static void watch(void *argument)
{
    const uint32_t core = (uint32_t)(uintptr_t)argument;

    for (;;) {
        hrl_counts now;

        hrl_semaphore_take(&begun[core], HRL_FOREVER);
        do {
            hrl_spinlock_take(&shared); /* so also the other core's next time is later */
            now = hrl_now();
            in_order = in_order && now >= latest;
            latest = now;
            hrl_spinlock_give(&shared);
            reads[core] += now < wrap;
        } while (now < wrap + BEHIND);
        counted = counted && now >> 32 == wrap >> 32;
        hrl_semaphore_give(&ended);
    }
}

static void sleep(void *argument)
{
    const uint32_t core = (uint32_t)(uintptr_t)argument;

    for (;;) {
        hrl_semaphore_take(&begun[2 + core], HRL_FOREVER);
        hrl_thread_sleep_until(wrap + BEHIND / 2);
        slept = slept && hrl_now() >= wrap + BEHIND / 2 && hrl_now() >> 32 == wrap >> 32;
        hrl_semaphore_give(&ended);
    }
}

/* No thread sleeps, and no core but this one reads the time. */
static void move_clock(hrl_counts to)
{
    uint32_t state = hrl_interrupt_lock();

    set_clock(to);
    hrl_interrupt_unlock(state);
}

static void lead(void *argument)
{
    (void)argument;
    for (uint32_t round = 1; round <= WRAPS; round++) {
        wrap = (hrl_counts)round << 32;
        move_clock(wrap - BEFORE);
        for (unsigned i = 0; i < 4; i++) {
            hrl_semaphore_give(&begun[3 - i]);
        }
        for (unsigned i = 0; i < 4; i++) {
            hrl_semaphore_take(&ended, HRL_FOREVER);
        }
    }
    check(in_order, "time goes on across every wrap");
    check(counted, "both cores count every wrap once");
    check(slept, "every sleep ends behind its wrap");
    check(reads[0] > 0 && reads[1] > 0, "both cores have read the time before one");
    hrlp_cpu_halt(0);
}

int main(void)
{
    for (unsigned i = 0; i < 4; i++) {
        begun[i] = (struct hrl_semaphore)HRL_SEMAPHORE_INIT(0, 1);
    }
    hrl_thread_start(&watcher_0);
    hrl_thread_start(&watcher_1);
    hrl_thread_start(&sleeper_0);
    hrl_thread_start(&sleeper_1);
    hrl_thread_start(&leader);
    hrl_start();
}
