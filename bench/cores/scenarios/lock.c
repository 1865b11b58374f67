/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"
#include <hrl/alarm.h>
#include <hrl/event.h>
#include <hrl/message_queue.h>
#include <hrl/pool.h>
#include <hrlp_cores.h>

/*
 * Our services, each in the longest way of those that do not depend on how many threads wait, or how long a message
 * is: what a core gives wakes a thread of the next core, which has waited for it; waits end by time as well. Of
 * all services, with all cores at it: they ask for the lock, which is one, faster than it can be passed on. With
 * BENCH_BUSY cores 0 and 1 alone do so, and the others load from shared memory without a pause.
 */
enum { FLAG = 1, SOON = 300, TAKING_PART = BENCH_BUSY ? 2 : BENCH_CORES };

/* What a thread uses together with one of the next core. */
struct pair {
    struct hrl_semaphore token, done;
    struct hrl_message_queue queue;
    struct hrl_event event;
    struct hrl_pool pool;
    struct hrl_alarm alarm;
};

#define STORAGE(core)                                                                              \
    static hrli_message_word slots_##core[HRL_MESSAGE_SLOTS(sizeof(uint32_t), 1)];                 \
    static uint64_t blocks_##core[HRL_POOL_BLOCKS(sizeof(uint32_t), 1)];
#define PAIR(core)                                                                                 \
    {.token = HRL_SEMAPHORE_INIT(0, 1),                                                            \
     .done = HRL_SEMAPHORE_INIT(0, 1),                                                             \
     .queue = HRL_MESSAGE_QUEUE_INIT(slots_##core, sizeof(uint32_t)),                              \
     .event = HRL_EVENT_INIT,                                                                      \
     .pool = HRL_POOL_INIT(blocks_##core, sizeof(uint32_t)),                                       \
     .alarm = HRL_ALARM_INIT_GIVE(pairs[core].token)},

static struct pair pairs[BENCH_CORES];

BENCH_EACH_CORE(STORAGE)
static struct pair pairs[BENCH_CORES] = {BENCH_EACH_CORE(PAIR)};

static void wait_for_answer(struct pair *pair)
{
    (void)hrl_semaphore_take(&pair->done, HRL_FOREVER);
}

static __attribute__((noinline)) void ask_for_ever(void *argument)
{
    struct pair *pair = &pairs[hrlp_core_number()];
    uint32_t message = 0;
    void *block;

    (void)argument;
    (void)hrl_pool_take(&pair->pool, &block, HRL_NO_WAIT);
    for (;;) {
        (void)hrl_semaphore_give(&pair->token);
        wait_for_answer(pair);
        (void)hrl_message_send(&pair->queue, &message, HRL_FOREVER);
        wait_for_answer(pair);
        hrl_event_set(&pair->event, FLAG);
        wait_for_answer(pair);
        hrl_pool_give(&pair->pool, block);
        wait_for_answer(pair);
        (void)hrl_pool_take(&pair->pool, &block, HRL_FOREVER);
        (void)hrl_semaphore_take(&pair->done, hrl_now() + SOON);
        hrl_alarm_start(&pair->alarm, hrl_now() + SOON);
        wait_for_answer(pair);
    }
}

static __attribute__((noinline)) void answer_for_ever(void *argument)
{
    struct pair *pair = &pairs[(hrlp_core_number() + TAKING_PART - 1) % TAKING_PART];
    uint32_t message, flags;
    void *block;

    (void)argument;
    for (;;) {
        (void)hrl_semaphore_take(&pair->token, HRL_FOREVER);
        (void)hrl_semaphore_give(&pair->done);
        (void)hrl_message_receive(&pair->queue, &message, HRL_FOREVER);
        (void)hrl_semaphore_give(&pair->done);
        (void)hrl_event_wait(&pair->event, FLAG, HRL_EVENT_ANY | HRL_EVENT_CLEAR, HRL_FOREVER,
                             &flags);
        (void)hrl_semaphore_give(&pair->done);
        (void)hrl_pool_take(&pair->pool, &block, HRL_FOREVER);
        hrl_pool_give(&pair->pool, block);
        (void)hrl_semaphore_give(&pair->done);
        (void)hrl_semaphore_take(&pair->token, HRL_FOREVER);
        (void)hrl_semaphore_give(&pair->done);
    }
}

#if BENCH_BUSY /* otherwise unused */
static volatile uint32_t loaded;

static __attribute__((noinline)) void load_for_ever(void *argument)
{
    (void)argument;
    for (;;) {
        (void)loaded, (void)loaded, (void)loaded, (void)loaded;
        (void)loaded, (void)loaded, (void)loaded, (void)loaded;
    }
}
#endif

int main(void)
{
    __asm__ volatile(".global bench_lock_held\n.set bench_lock_held, %0\n"
                     ".global bench_lock_wait\n.set bench_lock_wait, %1"
                     :
                     : "i"(HRLP_LOCK_HELD_CYCLES), "i"(HRLP_LOCK_WAIT_CYCLES));
#if BENCH_BUSY /* the other scenario */
    for (unsigned core = TAKING_PART; core < BENCH_CORES; core++) {
        bench_thread(core, 0, load_for_ever);
    }
#endif
    for (unsigned core = 0; core < TAKING_PART; core++) {
        bench_thread(core, 0, ask_for_ever);
        bench_thread(core, 1, answer_for_ever);
    }
    bench_run();
    return 1;
}
