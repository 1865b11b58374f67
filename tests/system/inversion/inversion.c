/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <stddef.h>

/*
 * `giver` wakes `urgent`, which is above `middle`; each time `middle` is released a count later, so that its
 * release comes between any two instructions of the give. When it runs, `urgent` must not be ready.
 */
enum { GIVES = 12000 };

void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);
void start_threads(void);
void giver(void);
void middle(void);
void distant(void);

static void wait(void *argument);
HRL_THREAD_DEFINE(urgent, wait, NULL, 3, 512);
HRL_SEMAPHORE_DEFINE(given, 0, 1000);
static volatile unsigned gives, woken, inversions;

static void wait(void *argument)
{
    (void)argument;
    for (;;) {
        (void)hrl_semaphore_take(&given, HRL_FOREVER);
        woken++;
    }
}

void start_threads(void)
{
    hrl_thread_start(&urgent);
}

void giver(void)
{
    if (gives++ == GIVES) {
        hrlp_cpu_print(inversions != 0  ? "verdict: a less urgent thread ran first\n"
                       : woken != GIVES ? "verdict: a give was lost\n"
                                        : "verdict: all holds\n");
        hrlp_cpu_halt(0);
    }
    (void)hrl_semaphore_give(&given);
}

void middle(void)
{
    inversions += hrl_thread_state_of(&urgent) == HRL_THREAD_READY;
}

/* Keeps the store from being empty. */
void distant(void) {}
