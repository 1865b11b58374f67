/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * A lamp that blinks at 5 Hz until the watcher has seen enough: two threads and a semaphore.
 */
#include <hrl/console.h>
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

/* HRL_CLOCK_HZ comes from horolog_application: counts of the board's clock in a second. */
static const hrl_counts half_period = HRL_CLOCK_HZ / 10;

static void blink(void *argument);
static void watch(void *argument);

HRL_THREAD_DEFINE(blinker, blink, NULL, 5, 512);
HRL_THREAD_DEFINE(watcher, watch, NULL, 1, 512);
HRL_SEMAPHORE_DEFINE(blinks, 0, 10);

static void blink(void *argument)
{
    hrl_counts next = hrl_now();

    (void)argument;
    for (;;) {
        hrl_console_print("on\n");
        hrl_thread_sleep_until(next += half_period); /* absolute: it does not drift */
        hrl_console_print("off\n");
        (void)hrl_semaphore_give(&blinks);
        hrl_thread_sleep_until(next += half_period);
    }
}

static void watch(void *argument)
{
    (void)argument;
    for (int seen = 0; seen < 3; seen++) {
        if (hrl_semaphore_take(&blinks, hrl_now() + HRL_CLOCK_HZ) != HRL_OK) {
            hrl_console_print("the lamp is broken\n");
            hrl_program_end(1);
        }
    }
    hrl_console_print("enough\n");
    hrl_program_end(0);
}

int main(void)
{
    hrl_thread_start(&blinker);
    hrl_thread_start(&watcher);
    hrl_start();
}
