/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"
#include <hrl/event.h>
#include <hrl/message_queue.h>
#include <hrl/pool.h>
#include <hrlp_cores.h>

/*
 * As lock.c, with threads that any core may run: twice as many as cores at once, so some are ready and run nowhere, and a
 * thread that is woken takes the core of one that is less urgent. Their priorities go over all levels. So dispatches hold
 * the lock, too, and services hold it while a thread that they wake claims a core.
 */
enum { FLAG = 1, SOON = 300, PAIRS = 2 * BENCH_CORES };

#define ALL ((1u << BENCH_CORES) - 1u)
#define STEP(at) ((at)*28 / PAIRS)

/* What two threads use together. */
struct pair {
    struct hrl_semaphore token, done;
    struct hrl_message_queue queue;
    struct hrl_event event;
    struct hrl_pool pool;
};

#define STORAGE(number)                                                                            \
    static hrli_message_word slots_##number[HRL_MESSAGE_SLOTS(sizeof(uint32_t), 1)];               \
    static uint64_t blocks_##number[HRL_POOL_BLOCKS(sizeof(uint32_t), 1)];
#define PAIR(number)                                                                               \
    {.token = HRL_SEMAPHORE_INIT(0, 1),                                                            \
     .done = HRL_SEMAPHORE_INIT(0, 1),                                                             \
     .queue = HRL_MESSAGE_QUEUE_INIT(slots_##number, sizeof(uint32_t)),                            \
     .event = HRL_EVENT_INIT,                                                                      \
     .pool = HRL_POOL_INIT(blocks_##number, sizeof(uint32_t))},
#define STORAGES(core) STORAGE(core##0) STORAGE(core##1)
#define BOTH(core) PAIR(core##0) PAIR(core##1)

BENCH_EACH_CORE(STORAGES)
static struct pair pairs[PAIRS] = {BENCH_EACH_CORE(BOTH)};

static void wait_for_answer(struct pair *pair)
{
    (void)hrl_semaphore_take(&pair->done, HRL_FOREVER);
}

static __attribute__((noinline)) void ask_for_ever(void *argument)
{
    struct pair *pair = argument;
    uint32_t message = 0;
    void *block;

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
        hrl_thread_yield();
    }
}

static __attribute__((noinline)) void answer_for_ever(void *argument)
{
    struct pair *pair = argument;
    uint32_t message, flags;
    void *block;

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
    }
}

/* Of the pair `number`: the one that answers comes from the other end of the levels, at 30 at most. */
#define THREADS(number, at)                                                                        \
    HRL_THREAD_DEFINE_GLOBAL(ALL, ask_##number, ask_for_ever, &pairs[at], 1 + STEP(at), 1024);     \
    HRL_THREAD_DEFINE_GLOBAL(ALL, answer_##number, answer_for_ever, &pairs[at], 30 - STEP(at),     \
                             1024);
#define FOUR(core) THREADS(core##0, 2 * (core)) THREADS(core##1, 2 * (core) + 1)
BENCH_EACH_CORE(FOUR)

#define START(number) hrl_thread_start(&ask_##number), hrl_thread_start(&answer_##number);
#define STARTS(core) START(core##0) START(core##1)

int main(void)
{
    __asm__ volatile(".global bench_lock_held\n.set bench_lock_held, %0\n"
                     ".global bench_lock_wait\n.set bench_lock_wait, %1"
                     :
                     : "i"(HRLP_LOCK_HELD_CYCLES), "i"(HRLP_LOCK_WAIT_CYCLES));
    BENCH_EACH_CORE(STARTS)
    bench_run();
    return 1;
}
