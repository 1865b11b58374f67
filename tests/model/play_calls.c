/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "play_run.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/time.h>
#include <string.h>

enum { SKIPPED = -1, MOST_MESSAGES = 8, MOST_BLOCKS = 8 };

static hrl_counts until(int64_t amount)
{
    if (amount <= 0) {
        return amount == 0 ? HRL_NO_WAIT : HRL_FOREVER;
    }
    return hrl_now() + (hrl_counts)amount;
}

/* The calls. Each skips what its header forbids. */

static int64_t call_work(const struct script_call *call)
{
    hrlp_host_consume((hrl_counts)call->amount);
    hrlp_irq_unlock(hrlp_irq_lock()); /* interrupts of the instant at which it ends belong to it */
    return 0;
}

static int64_t call_take(const struct script_call *call)
{
    return hrl_semaphore_take(&play.semaphores[call->object], until(call->amount));
}

static int64_t call_give(const struct script_call *call)
{
    return hrl_semaphore_give(&play.semaphores[call->object]);
}

static int64_t call_count(const struct script_call *call)
{
    return hrl_semaphore_count(&play.semaphores[call->object]);
}

static int64_t call_sleep_for(const struct script_call *call)
{
    hrl_thread_sleep_for((hrl_counts)call->amount);
    return 0;
}

static int64_t call_sleep_until(const struct script_call *call)
{
    hrl_thread_sleep_until((hrl_counts)call->amount);
    return 0;
}

static int64_t call_state(const struct script_call *call)
{
    return hrl_thread_state_of(play.threads[call->object]);
}

static bool is_under_way(enum hrl_thread_state state)
{
    return state != HRL_THREAD_DORMANT && state != HRL_THREAD_ENDED;
}

static int64_t call_start(const struct script_call *call)
{
    enum hrl_thread_state state = hrl_thread_state_of(play.threads[call->object]);

    if (!is_under_way(state)) {
        hrl_thread_start(play.threads[call->object]);
    }
    return state;
}

static int64_t call_suspend(const struct script_call *call)
{
    enum hrl_thread_state state = hrl_thread_state_of(play.threads[call->object]);

    if (is_under_way(state)) {
        hrl_thread_suspend(play.threads[call->object]);
    }
    return state;
}

static int64_t call_resume(const struct script_call *call)
{
    hrl_thread_resume(play.threads[call->object]);
    return 0;
}

static int64_t call_yield(const struct script_call *call)
{
    (void)call;
    hrl_thread_yield();
    return 0;
}

/* Unless the thread waits for a mutex with a lower ceiling: the kernel's check would end the test. */
static int64_t call_set_level(const struct script_call *call)
{
    struct hrl_thread *thread = play.threads[call->object];
    const struct hrl_mutex *awaited = thread->awaited;

    if (awaited != NULL && awaited->ceiling != 0 && (uint32_t)call->amount > awaited->ceiling) {
        return SKIPPED;
    }
    hrl_thread_set_priority(thread, (uint32_t)call->amount);
    return 0;
}

static int64_t call_get_level(const struct script_call *call)
{
    return hrl_thread_get_priority(play.threads[call->object]);
}

static int64_t call_join(const struct script_call *call)
{
    struct hrl_thread *thread = play.threads[call->object];

    if (thread == hrl_thread_current() && call->amount != 0) {
        return SKIPPED;
    }
    return hrl_thread_join(thread, until(call->amount));
}

static int64_t call_lock(const struct script_call *call)
{
    struct hrl_mutex *mutex = &play.mutexes[call->object];
    struct hrl_thread *self = hrl_thread_current();

    if (hrl_mutex_owner(mutex) == self ||
        (mutex->ceiling != 0 && hrl_thread_get_priority(self) > mutex->ceiling)) {
        return SKIPPED;
    }
    return hrl_mutex_lock(mutex, until(call->amount));
}

static int64_t call_unlock(const struct script_call *call)
{
    if (hrl_mutex_owner(&play.mutexes[call->object]) != hrl_thread_current()) {
        return SKIPPED;
    }
    hrl_mutex_unlock(&play.mutexes[call->object]);
    return 0;
}

static int64_t call_owner(const struct script_call *call)
{
    const struct hrl_thread *owner = hrl_mutex_owner(&play.mutexes[call->object]);
    int64_t thread = play.script->thread_count;

    while (--thread >= 0 && play.threads[thread] != owner) {
    }
    return thread; /* -1: none */
}

static int64_t call_send(const struct script_call *call)
{
    uint32_t message[SCRIPT_MESSAGE_WORDS];

    for (uint32_t word = 0; word < SCRIPT_MESSAGE_WORDS; word++) {
        message[word] = call->number + word;
    }
    return hrl_message_send(&play.queues[call->object], message, until(call->amount));
}

/* What came, behind the numbers of statuses. */
static int64_t call_receive(const struct script_call *call)
{
    uint32_t message[SCRIPT_MESSAGE_WORDS] = {0};
    enum hrl_status status =
        hrl_message_receive(&play.queues[call->object], message, until(call->amount));

    for (uint32_t word = 0; word < SCRIPT_MESSAGE_WORDS; word++) {
        bool sent = status == HRL_OK && word < play.queues[call->object].words;
        assert_int_equal(message[word], sent ? message[0] + word : 0);
    }
    return status == HRL_OK ? 10 + (int64_t)message[0] : status;
}

static int64_t call_messages(const struct script_call *call)
{
    return hrl_message_count(&play.queues[call->object]);
}

/* The blocks that have been borrowed; a thread that returns one returns the last. */
static struct {
    void *blocks[MOST_BLOCKS];
    unsigned count;
} borrowed[SCRIPT_OBJECTS];

static int64_t call_borrow(const struct script_call *call)
{
    void *block = NULL;
    enum hrl_status status = hrl_pool_take(&play.pools[call->object], &block, until(call->amount));

    if (status == HRL_OK) {
        for (unsigned i = 0; i < borrowed[call->object].count; i++) {
            assert_ptr_not_equal(borrowed[call->object].blocks[i], block);
        }
        memset(block, 0xa5, play.pools[call->object].block_bytes);
        borrowed[call->object].blocks[borrowed[call->object].count++] = block;
    }
    return status;
}

static int64_t call_return(const struct script_call *call)
{
    if (borrowed[call->object].count == 0) {
        return SKIPPED;
    }
    hrl_pool_give(&play.pools[call->object],
                  borrowed[call->object].blocks[--borrowed[call->object].count]);
    return 0;
}

static int64_t call_set(const struct script_call *call)
{
    hrl_event_set(&play.events[call->object], call->flags);
    return 0;
}

static int64_t call_clear(const struct script_call *call)
{
    hrl_event_clear(&play.events[call->object], call->flags);
    return 0;
}

static int64_t call_flags(const struct script_call *call)
{
    return hrl_event_flags(&play.events[call->object]);
}

/* The flags that were seen, behind the numbers of statuses. */
static int64_t wait_for_flags(const struct script_call *call, uint32_t mode)
{
    const uint32_t untouched = 0x5a5a5a5a;
    uint32_t seen = untouched;
    enum hrl_status status =
        hrl_event_wait(&play.events[call->object], call->flags, mode, until(call->amount), &seen);

    assert_true(status == HRL_OK || seen == untouched);
    return status == HRL_OK ? 10 + (int64_t)seen : status;
}

static int64_t call_wait_any(const struct script_call *call)
{
    return wait_for_flags(call, HRL_EVENT_ANY);
}

static int64_t call_wait_all(const struct script_call *call)
{
    return wait_for_flags(call, HRL_EVENT_ALL);
}

static int64_t call_wait_any_clear(const struct script_call *call)
{
    return wait_for_flags(call, HRL_EVENT_ANY | HRL_EVENT_CLEAR);
}

static int64_t call_wait_all_clear(const struct script_call *call)
{
    return wait_for_flags(call, HRL_EVENT_ALL | HRL_EVENT_CLEAR);
}

/* From threads, and from functions of alarms so often that they come to an end. */
static bool may_start_an_alarm(void)
{
    if (play.in_interrupt || (play.in_function && play.starts_left == 0)) {
        return false;
    }
    play.starts_left -= play.in_function;
    return true;
}

/* The amount may be negative. */
static hrl_counts first_of(const struct script_call *call)
{
    hrl_counts now = hrl_now();

    return call->amount < 0 && (hrl_counts)-call->amount > now ? 0 : now + (hrl_counts)call->amount;
}

static int64_t call_alarm_start(const struct script_call *call)
{
    if (!may_start_an_alarm()) {
        return SKIPPED;
    }
    hrl_alarm_start(&play.alarms[call->object], first_of(call));
    return 0;
}

static int64_t call_alarm_every(const struct script_call *call)
{
    hrl_period period = HRL_PERIOD_COUNTS(call->flags - call->flags % 4u);

    if (!may_start_an_alarm()) {
        return SKIPPED;
    }
    hrl_alarm_start_periodic(&play.alarms[call->object], first_of(call), period, call->flags % 4u);
    return 0;
}

static int64_t call_alarm_stop(const struct script_call *call)
{
    return play.in_interrupt ? SKIPPED : hrl_alarm_stop(&play.alarms[call->object]);
}

static int64_t call_alarm_next(const struct script_call *call)
{
    /* -1: it does not run */
    return play.in_interrupt ? SKIPPED : (int64_t)hrl_alarm_next(&play.alarms[call->object]);
}

/* How many expiries, behind the numbers of statuses. */
static int64_t call_alarm_wait(const struct script_call *call)
{
    uint32_t expiries = 0;
    enum hrl_status status;

    if (play.script->alarms[call->object].kind != 'w') {
        return SKIPPED;
    }
    status = hrl_alarm_wait(&play.alarms[call->object], &expiries, until(call->amount));
    return status == HRL_OK ? 10 + (int64_t)expiries : (int64_t)status;
}

static bool owns_a_mutex(void)
{
    for (unsigned i = 0; i < play.script->mutex_count; i++) {
        if (hrl_mutex_owner(&play.mutexes[i]) == hrl_thread_current()) {
            return true;
        }
    }
    return false;
}

static int64_t call_exit(const struct script_call *call)
{
    (void)call;
    if (owns_a_mutex()) {
        return SKIPPED;
    }
    hrl_thread_exit();
}

#define VERB(text, function, object, interrupts)                                                   \
    {                                                                                              \
        text, call_##function, object, interrupts                                                  \
    }
const struct play_verb play_verbs[] = {
    VERB("work", work, PLAY_THREAD, false),
    VERB("sleep-for", sleep_for, PLAY_THREAD, false),
    VERB("sleep-until", sleep_until, PLAY_THREAD, false),
    VERB("yield", yield, PLAY_THREAD, false),
    VERB("start", start, PLAY_THREAD, false),
    VERB("suspend", suspend, PLAY_THREAD, false),
    VERB("resume", resume, PLAY_THREAD, true),
    VERB("state", state, PLAY_THREAD, true),
    VERB("set-level", set_level, PLAY_THREAD, false),
    VERB("get-level", get_level, PLAY_THREAD, true),
    VERB("join", join, PLAY_THREAD, true),
    VERB("exit", exit, PLAY_THREAD, false),
    VERB("take", take, PLAY_SEMAPHORE, true),
    VERB("give", give, PLAY_SEMAPHORE, true),
    VERB("count", count, PLAY_SEMAPHORE, true),
    VERB("lock", lock, PLAY_MUTEX, false),
    VERB("unlock", unlock, PLAY_MUTEX, false),
    VERB("owner", owner, PLAY_MUTEX, true),
    VERB("send", send, PLAY_QUEUE, true),
    VERB("receive", receive, PLAY_QUEUE, true),
    VERB("messages", messages, PLAY_QUEUE, true),
    VERB("borrow", borrow, PLAY_POOL, true),
    VERB("return", return, PLAY_POOL, true),
    VERB("set", set, PLAY_EVENT, true),
    VERB("clear", clear, PLAY_EVENT, true),
    VERB("flags", flags, PLAY_EVENT, true),
    VERB("wait-any", wait_any, PLAY_EVENT, true),
    VERB("wait-all", wait_all, PLAY_EVENT, true),
    VERB("wait-any-clear", wait_any_clear, PLAY_EVENT, true),
    VERB("wait-all-clear", wait_all_clear, PLAY_EVENT, true),
    VERB("alarm-start", alarm_start, PLAY_ALARM, true),
    VERB("alarm-every", alarm_every, PLAY_ALARM, true),
    VERB("alarm-stop", alarm_stop, PLAY_ALARM, true),
    VERB("alarm-next", alarm_next, PLAY_ALARM, true),
    VERB("alarm-wait", alarm_wait, PLAY_ALARM, true),
};
const unsigned play_verb_count = sizeof play_verbs / sizeof play_verbs[0];

script_verb play_find(const char *name)
{
    for (unsigned i = 0; i < play_verb_count; i++) {
        if (strcmp(play_verbs[i].name, name) == 0) {
            return play_verbs[i].call;
        }
    }
    return NULL;
}

void play_define_objects(void)
{
    static uint32_t slots[SCRIPT_OBJECTS][MOST_MESSAGES * SCRIPT_MESSAGE_WORDS];
    enum { BLOCK_WORDS = HRLI_POOL_WORDS(8) };
    static uint64_t blocks[SCRIPT_OBJECTS][MOST_BLOCKS * BLOCK_WORDS];

    for (unsigned i = 0; i < play.script->semaphore_count; i++) {
        play.semaphores[i] = (struct hrl_semaphore){.count = play.script->semaphores[i].initial,
                                                    .limit = play.script->semaphores[i].limit};
    }
    for (unsigned i = 0; i < play.script->mutex_count; i++) {
        play.mutexes[i] = (struct hrl_mutex){.ceiling = play.script->mutexes[i].ceiling};
    }
    for (unsigned i = 0; i < play.script->queue_count; i++) {
        uint32_t capacity = play.script->queues[i].capacity, words = play.script->queues[i].words;
        play.queues[i] = (struct hrl_message_queue){.quick = HRLI_MESSAGE_QUICK(words, capacity),
                                                    .capacity = capacity,
                                                    .words = words,
                                                    .oldest = slots[i],
                                                    .next = slots[i],
                                                    .slots = slots[i],
                                                    .end = slots[i] + (size_t)capacity * words};
    }
    for (unsigned i = 0; i < play.script->pool_count; i++) {
        borrowed[i].count = 0;
        play.pools[i] =
            (struct hrl_pool){.fresh = blocks[i],
                              .end = blocks[i] + (size_t)play.script->pools[i].blocks * BLOCK_WORDS,
                              .blocks = blocks[i],
                              .block_bytes = BLOCK_WORDS * sizeof blocks[i][0]};
    }
    memset(play.events, 0, sizeof play.events);
    for (unsigned i = 0; i < play.script->alarm_count; i++) {
        struct hrl_semaphore *semaphore =
            &play.semaphores[play.script->alarms[i].kind == 'g' ? play.script->alarms[i].target
                                                                : 0];
        HRL_ALARM_DEFINE(wakes);
        HRL_ALARM_DEFINE_GIVE(gives, *semaphore);
        HRL_ALARM_DEFINE_CALL(calls, play_alarm_function, (void *)(uintptr_t)i);

        play.alarms[i] = play.script->alarms[i].kind == 'w'   ? wakes
                         : play.script->alarms[i].kind == 'g' ? gives
                                                              : calls;
    }
}
