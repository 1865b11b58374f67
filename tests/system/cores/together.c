/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/event.h>
#include <hrl/kernel.h>
#include <hrl/message_queue.h>
#include <hrl/mutex.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

/*
 * All cores use the same services at the same time, as fast as they can. Each line that is printed is something that
 * would not hold if a step of a service came between two steps of another core's, or a wake-up were lost.
 */
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);

enum { ROUNDS = 200, PIECES = 100 };

static void work(void *argument);
static void lead(void *argument);

HRL_THREAD_DEFINE_ON(0, worker_0, work, (void *)0, 3, 1024);
HRL_THREAD_DEFINE_ON(1, worker_1, work, (void *)1, 3, 1024);
#if HRL_CORES == 4 /* as there are so many */
HRL_THREAD_DEFINE_ON(2, worker_2, work, (void *)2, 3, 1024);
HRL_THREAD_DEFINE_ON(3, worker_3, work, (void *)3, 3, 1024);
static struct hrl_thread *const workers[] = {&worker_0, &worker_1, &worker_2, &worker_3};
#else
static struct hrl_thread *const workers[] = {&worker_0, &worker_1};
#endif
HRL_THREAD_DEFINE(leader, lead, NULL, 2, 1024);

static struct hrl_semaphore tokens[HRL_CORES];
HRL_MUTEX_DEFINE(counted);
HRL_MESSAGE_QUEUE_DEFINE(inbox, sizeof(uint32_t), 3);
HRL_EVENT_DEFINE(done);

static uint32_t count, passed, inside;
static hrl_counts latest;
static bool alone = true, in_order = true, all_well = true;

static void check(bool holds, const char *what)
{
    hrlp_cpu_print(what);
    hrlp_cpu_print(holds ? ": yes\n" : ": NO\n");
    all_well = all_well && holds;
}

/* Behind the mutex: one thread at a time, and time goes on from core to core. */
static void count_behind_the_mutex(void)
{
    hrl_counts now;

    if (hrl_mutex_lock(&counted, HRL_FOREVER) != HRL_OK) {
        alone = false;
    }
    alone = alone && inside == 0;
    inside = 1;
    now = hrl_now();
    in_order = in_order && now >= latest;
    latest = now;
    count++;
    inside = 0;
    hrl_mutex_unlock(&counted);
}

static void work(void *argument)
{
    const uint32_t core = (uint32_t)(uintptr_t)argument;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        hrl_semaphore_take(&tokens[core], HRL_FOREVER);
        passed++;
        hrl_semaphore_give(&tokens[(core + 1) % HRL_CORES]);
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        count_behind_the_mutex();
    }
    for (uint32_t piece = 1; piece <= PIECES; piece++) {
        hrl_message_send(&inbox, &piece, HRL_FOREVER);
    }
    hrl_thread_sleep_for(HRL_MS(1) * (core + 1));
    hrl_event_set(&done, 1u << core);
}

static void lead(void *argument)
{
    uint32_t sum = 0, all = (1u << HRL_CORES) - 1u;

    (void)argument;
    for (uint32_t i = 0; i < PIECES * HRL_CORES; i++) {
        uint32_t piece = 0;

        if (hrl_message_receive(&inbox, &piece, HRL_FOREVER) == HRL_OK) {
            sum += piece;
        }
    }
    all_well = hrl_event_wait(&done, all, HRL_EVENT_ALL, HRL_FOREVER, NULL) == HRL_OK;
    for (uint32_t core = 0; core < HRL_CORES; core++) {
        all_well = all_well && hrl_thread_join(workers[core], HRL_FOREVER) == HRL_OK;
    }
    check(all_well, "every worker has ended");
    check(passed == ROUNDS * HRL_CORES, "the token has gone round");
    check(count == ROUNDS * HRL_CORES, "every count counts");
    check(alone, "behind the mutex is one thread");
    check(in_order, "time goes on from core to core");
    check(sum == HRL_CORES * PIECES * (PIECES + 1) / 2, "every message has come once");
    hrlp_cpu_halt(all_well ? 0 : 1);
}

int main(void)
{
    for (uint32_t core = 0; core < HRL_CORES; core++) {
        tokens[core] = (struct hrl_semaphore)HRL_SEMAPHORE_INIT(core == 0 ? 1 : 0, 1);
        hrl_thread_start(workers[core]);
    }
    hrl_thread_start(&leader);
    hrl_start();
}
