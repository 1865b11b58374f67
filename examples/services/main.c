/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * Threads and semaphores on a board, without a description and without Python. A sampler produces every 10 ms, a
 * worker consumes and gives up when nothing has come for 25 ms.
 */
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

/* The board's console and its end. */
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);

enum { MS = HRL_CLOCK_HZ / 1000, SAMPLES = 5 }; /* in counts; how many there are */

static void sample(void *argument);
static void work(void *argument);
static void watch(void *argument);

HRL_THREAD_DEFINE(sampler, sample, NULL, 5, 512);
HRL_THREAD_DEFINE(worker, work, NULL, 4, 512);
HRL_THREAD_DEFINE(watcher, watch, NULL, 1, 512);
HRL_SEMAPHORE_DEFINE(samples, 0, 2);

static void sample(void *argument)
{
    hrl_counts next = hrl_now();

    (void)argument;
    for (int i = 0; i < SAMPLES; i++) {
        next += 10 * MS;
        hrl_thread_sleep_until(next); /* absolute: it does not drift */
        (void)hrl_semaphore_give(&samples);
    }
}

static void work(void *argument)
{
    (void)argument;
    while (hrl_semaphore_take(&samples, hrl_now() + 25 * MS) == HRL_OK) {
        hrlp_cpu_print("sample\n");
    }
    hrlp_cpu_print("no more samples\n");
}

static void watch(void *argument)
{
    (void)argument;
    (void)hrl_thread_join(&sampler, HRL_FOREVER);
    hrlp_cpu_print("the sampler has ended\n");
    (void)hrl_thread_join(&worker, HRL_FOREVER);
    hrlp_cpu_print(hrl_thread_stack_unused(&worker) > 0 ? "done\n" : "a stack is full\n");
    hrlp_cpu_halt(0);
}

int main(void)
{
    hrl_thread_start(&watcher);
    hrl_thread_start(&sampler);
    hrl_thread_start(&worker);
    hrl_start();
}
