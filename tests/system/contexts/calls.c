/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"
#include <hrl/alarm.h>
#include <hrl/basic.h>
#include <hrl/event.h>
#include <hrl/interrupt.h>
#include <hrl/kernel.h>
#include <hrl/message_queue.h>
#include <hrl/mutex.h>
#include <hrl/pool.h>
#include <hrl/resource.h>
#include <hrl/semaphore.h>
#include <hrl/spinlock.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

bool in_thread, in_task, is_above;

static void nothing(void *unused)
{
    (void)unused;
}

static void wait_for_ever(void *unused);

HRL_THREAD_DEFINE(started, nothing, NULL, 1, 512);
HRL_THREAD_DEFINE(prepared, nothing, NULL, 1, 512);
HRL_THREAD_DEFINE(ended, nothing, NULL, 9, 512);
HRL_THREAD_DEFINE(other, wait_for_ever, NULL, 2, 512);
HRL_SEMAPHORE_DEFINE(never, 0, 1);
HRL_SEMAPHORE_DEFINE(tokens, 1, 2);
HRL_MUTEX_DEFINE(bus);
HRL_SPINLOCK_DEFINE(spinlock, 1);
HRL_EVENT_DEFINE(flags);
HRL_MESSAGE_QUEUE_DEFINE(letters, 4, 2);
HRL_POOL_DEFINE(blocks, 16, 2);
HRL_ALARM_DEFINE(alarm_of_calls);
HRL_ALARM_DEFINE(far);
static uint32_t message, seen;
static void *block, *taken;

#define FAR_AWAY ((hrl_counts)1 << 50)

static void wait_for_ever(void *unused)
{
    (void)unused;
    (void)hrl_semaphore_take(&never, HRL_FOREVER);
}

void reset_objects(void)
{
    tokens.count = 1;
    flags.flags = 1;
    (void)hrl_message_receive(&letters, &message, HRL_NO_WAIT);
    (void)hrl_message_receive(&letters, &message, HRL_NO_WAIT);
    (void)hrl_message_send(&letters, &message, HRL_NO_WAIT);
    blocks = (struct hrl_pool)HRLI_ZERO;
    blocks.blocks = blocks.fresh = blocks_blocks;
    blocks.end = blocks_blocks + sizeof blocks_blocks / sizeof blocks_blocks[0];
    blocks.block_bytes = 16;
    (void)hrl_pool_take(&blocks, &block, HRL_NO_WAIT);
    alarm_of_calls.expired = 1;
    hrl_interrupt_detach(LINE_B);
    hrl_interrupt_attach(LINE_B, nothing, NULL);
}

void start_others(void)
{
    hrl_thread_start(&other);
    hrl_thread_start(&ended);
}

static void end(struct hrl_thread *thread)
{
    if (hrl_thread_state_of(thread) != HRL_THREAD_DORMANT) {
        hrl_thread_resume(thread);
        (void)hrl_thread_join(thread, HRL_FOREVER);
    }
}

void settle_others(void)
{
    end(&started);
    end(&prepared);
    hrl_thread_resume(&other);
    (void)hrl_alarm_stop(&far);
}

/* alarm.h */
static void alarm_start(void)
{
    hrl_alarm_start(&far, FAR_AWAY);
}

static void alarm_start_periodic(void)
{
    hrl_alarm_start_periodic(&far, FAR_AWAY, HRL_PERIOD_COUNTS(1000), 3);
}

static void alarm_stop(void)
{
    (void)hrl_alarm_stop(&far);
}

static void alarm_next(void)
{
    (void)hrl_alarm_next(&far);
}

static void alarm_wait(void)
{
    (void)hrl_alarm_wait(&alarm_of_calls, &seen, HRL_FOREVER);
}

static void alarm_look(void)
{
    (void)hrl_alarm_wait(&alarm_of_calls, &seen, HRL_NO_WAIT);
}

/* basic.h, resource.h */
#if HRL_BASIC_TASKS /* of the build that has them */
static void do_nothing(void) {}

HRL_BASIC_DEFINE_WITH(chosen, do_nothing, lower, 0, 9, false);
HRL_BASIC_DEFINE_WITH(next, do_nothing, lower, 1, 9, false);
HRL_LINE_DEFINE(lower, 1, &chosen, &next);
HRL_RESOURCE_DEFINE(buffer, 5);

static void basic_activate(void)
{
    (void)hrl_basic_activate(&chosen);
}

static void basic_activate_all(void)
{
    static const struct hrl_basic *const both[] = {&chosen, &next};

    (void)hrl_basic_activate_all(both, 2);
}

static void basic_chain(void)
{
    (void)hrl_basic_chain(&next);
}

static void basic_current(void)
{
    (void)hrl_basic_current();
}

static void basic_name(void)
{
    (void)hrl_basic_name(&chosen);
}

static void basic_overruns(void)
{
    (void)hrl_basic_overruns(&chosen);
}

static void basic_budget_overruns(void)
{
    (void)hrl_basic_budget_overruns(&chosen);
}

static void basic_deadline_misses(void)
{
    (void)hrl_basic_deadline_misses(&chosen);
}

static void resource_take(void)
{
    hrl_resource_take(&buffer);
    hrl_resource_give(&buffer);
}

static void resource_give(void)
{
    if (in_task) {
        hrl_resource_take(&buffer);
    }
    hrl_resource_give(&buffer);
}
#endif

/* event.h */
static void event_set(void)
{
    hrl_event_set(&flags, 2);
}

static void event_clear(void)
{
    hrl_event_clear(&flags, 2);
}

static void event_flags(void)
{
    (void)hrl_event_flags(&flags);
}

static void event_wait(void)
{
    (void)hrl_event_wait(&flags, 1, HRL_EVENT_ANY, HRL_FOREVER, &seen);
}

static void event_look(void)
{
    (void)hrl_event_wait(&flags, 1, HRL_EVENT_ANY, HRL_NO_WAIT, &seen);
}

/* interrupt.h */
static void interrupt_attach(void)
{
    hrl_interrupt_detach(LINE_B);
    hrl_interrupt_attach(LINE_B, nothing, NULL);
}

static void interrupt_detach(void)
{
    hrl_interrupt_detach(LINE_B);
}

static void interrupt_enable(void)
{
    (void)hrl_interrupt_enable(LINE_B, HRL_INTERRUPT_LOWEST);
}

static void interrupt_disable(void)
{
    hrl_interrupt_disable(LINE_B);
}

/* It comes when it is enabled. */
static void interrupt_raise(void)
{
    (void)hrl_interrupt_raise(LINE_B);
}

static void interrupt_lock(void)
{
    hrl_interrupt_unlock(hrl_interrupt_lock());
}

static void interrupt_unlock(void)
{
    hrl_interrupt_unlock(is_above ? 0 : hrl_interrupt_lock());
}

/* spinlock.h */
static void spinlock_take(void)
{
    hrl_spinlock_take(&spinlock);
    hrl_spinlock_give(&spinlock);
}

static void spinlock_give(void)
{
    if (!is_above) {
        hrl_spinlock_take(&spinlock);
    }
    hrl_spinlock_give(&spinlock);
}

/* message_queue.h */
static void message_send(void)
{
    (void)hrl_message_send(&letters, &message, HRL_FOREVER);
}

static void message_try_to_send(void)
{
    (void)hrl_message_send(&letters, &message, HRL_NO_WAIT);
}

static void message_receive(void)
{
    (void)hrl_message_receive(&letters, &message, HRL_FOREVER);
}

static void message_look(void)
{
    (void)hrl_message_receive(&letters, &message, HRL_NO_WAIT);
}

static void message_count(void)
{
    (void)hrl_message_count(&letters);
}

/* mutex.h */
static void mutex_lock(void)
{
    (void)hrl_mutex_lock(&bus, HRL_FOREVER);
    hrl_mutex_unlock(&bus);
}

static void mutex_try(void)
{
    (void)hrl_mutex_lock(&bus, HRL_NO_WAIT);
    hrl_mutex_unlock(&bus);
}

static void mutex_unlock(void)
{
    if (in_thread) {
        (void)hrl_mutex_lock(&bus, HRL_NO_WAIT);
    }
    hrl_mutex_unlock(&bus);
}

static void mutex_owner(void)
{
    (void)hrl_mutex_owner(&bus);
}

/* pool.h, semaphore.h */
static void pool_take(void)
{
    (void)hrl_pool_take(&blocks, &taken, HRL_FOREVER);
}

static void pool_look(void)
{
    (void)hrl_pool_take(&blocks, &taken, HRL_NO_WAIT);
}

static void pool_give(void)
{
    hrl_pool_give(&blocks, block);
}

static void semaphore_take(void)
{
    (void)hrl_semaphore_take(&tokens, HRL_FOREVER);
}

static void semaphore_take_forever(void)
{
    (void)hrl_semaphore_take_forever(&tokens);
}

static void semaphore_look(void)
{
    (void)hrl_semaphore_take(&tokens, HRL_NO_WAIT);
}

static void semaphore_give(void)
{
    (void)hrl_semaphore_give(&tokens);
}

static void semaphore_count(void)
{
    (void)hrl_semaphore_count(&tokens);
}

/* thread.h */
static void thread_start(void)
{
    hrl_thread_start(&started);
}

static void thread_start_suspended(void)
{
    hrl_thread_start_suspended(&prepared);
}

static void thread_join(void)
{
    (void)hrl_thread_join(&ended, HRL_FOREVER);
}

static void thread_look(void)
{
    (void)hrl_thread_join(&ended, HRL_NO_WAIT);
}

static void thread_suspend(void)
{
    hrl_thread_suspend(&other);
}

static void thread_suspend_self(void)
{
    hrl_thread_suspend(hrl_thread_current());
}

static void thread_resume(void)
{
    hrl_thread_resume(&other);
}

static void thread_get_priority(void)
{
    (void)hrl_thread_get_priority(&other);
}

static void thread_set_priority(void)
{
    hrl_thread_set_priority(&other, 2);
}

static void thread_sleep_until(void)
{
    hrl_thread_sleep_until(1);
}

static void thread_sleep_for(void)
{
    hrl_thread_sleep_for(1);
}

static void release_wait(void)
{
    (void)hrl_release_wait();
}

static void thread_name(void)
{
    (void)hrl_thread_name(&other);
}

static void thread_state_of(void)
{
    (void)hrl_thread_state_of(&other);
}

static void thread_stack_unused(void)
{
    (void)hrl_thread_stack_unused(&other);
}

static void thread_overruns(void)
{
    (void)hrl_thread_overruns(&other);
}

static void thread_run_time(void)
{
    (void)hrl_thread_run_time(&other);
}

static void thread_current(void)
{
    (void)hrl_thread_current();
}

static const struct call calls[] = {
    {"hrl_alarm_start", alarm_start},
    {"hrl_alarm_start_periodic", alarm_start_periodic},
    {"hrl_alarm_stop", alarm_stop},
    {"hrl_alarm_next", alarm_next},
    {"hrl_alarm_wait", alarm_wait},
    {"hrl_alarm_wait, HRL_NO_WAIT", alarm_look},
#if HRL_BASIC_TASKS /* as above */
    {"hrl_basic_activate", basic_activate},
    {"hrl_basic_activate_all", basic_activate_all},
    {"hrl_basic_terminate", hrl_basic_terminate},
    {"hrl_basic_chain", basic_chain},
    {"hrl_basic_current", basic_current},
    {"hrl_basic_name", basic_name},
    {"hrl_basic_overruns", basic_overruns},
    {"hrl_basic_deadline_misses", basic_deadline_misses},
    {"hrl_basic_budget_overruns", basic_budget_overruns},
    {"hrl_resource_take", resource_take},
    {"hrl_resource_give", resource_give},
#endif
    {"hrl_event_set", event_set},
    {"hrl_event_clear", event_clear},
    {"hrl_event_flags", event_flags},
    {"hrl_event_wait", event_wait},
    {"hrl_event_wait, HRL_NO_WAIT", event_look},
    {"hrl_interrupt_attach", interrupt_attach},
    {"hrl_interrupt_detach", interrupt_detach},
    {"hrl_interrupt_enable", interrupt_enable},
    {"hrl_interrupt_disable", interrupt_disable},
    {"hrl_interrupt_raise", interrupt_raise},
    {"hrl_interrupt_lock", interrupt_lock},
    {"hrl_interrupt_unlock", interrupt_unlock},
    {"hrl_spinlock_take", spinlock_take},
    {"hrl_spinlock_give", spinlock_give},
    {"hrl_message_send", message_send},
    {"hrl_message_send, HRL_NO_WAIT", message_try_to_send},
    {"hrl_message_receive", message_receive},
    {"hrl_message_receive, HRL_NO_WAIT", message_look},
    {"hrl_message_count", message_count},
    {"hrl_mutex_lock", mutex_lock},
    {"hrl_mutex_lock, HRL_NO_WAIT", mutex_try},
    {"hrl_mutex_unlock", mutex_unlock},
    {"hrl_mutex_owner", mutex_owner},
    {"hrl_pool_take", pool_take},
    {"hrl_pool_take, HRL_NO_WAIT", pool_look},
    {"hrl_pool_give", pool_give},
    {"hrl_semaphore_take", semaphore_take},
    {"hrl_semaphore_take, HRL_NO_WAIT", semaphore_look},
    {"hrl_semaphore_take_forever", semaphore_take_forever},
    {"hrl_semaphore_give", semaphore_give},
    {"hrl_semaphore_count", semaphore_count},
    {"hrl_start", hrl_start},
    {"hrl_thread_start", thread_start},
    {"hrl_thread_start_suspended", thread_start_suspended},
    {"hrl_thread_exit", hrl_thread_exit},
    {"hrl_thread_join", thread_join},
    {"hrl_thread_join, HRL_NO_WAIT", thread_look},
    {"hrl_thread_suspend", thread_suspend},
    {"hrl_thread_suspend, of the caller", thread_suspend_self},
    {"hrl_thread_resume", thread_resume},
    {"hrl_thread_yield", hrl_thread_yield},
    {"hrl_thread_get_priority", thread_get_priority},
    {"hrl_thread_set_priority", thread_set_priority},
    {"hrl_thread_sleep_until", thread_sleep_until},
    {"hrl_thread_sleep_for", thread_sleep_for},
    {"hrl_release_wait", release_wait},
    {"hrl_thread_name", thread_name},
    {"hrl_thread_state_of", thread_state_of},
    {"hrl_thread_stack_unused", thread_stack_unused},
    {"hrl_thread_overruns", thread_overruns},
    {"hrl_thread_run_time", thread_run_time},
    {"hrl_thread_current", thread_current},
};

/* The tables of calls, one behind the other. */
static const struct {
    const struct call *first, *last;
} parts[] = {
    {calls, &calls[sizeof calls / sizeof calls[0] - 1]},
    {table_calls, &table_calls[TABLE_CALLS - 1]},
    {time_calls, &time_calls[TIME_CALLS - 1]},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

const struct call *next_call(const struct call *before)
{
    for (unsigned i = 0; i < PARTS && before != NULL; i++) {
        if (before == parts[i].last) {
            return i + 1u < PARTS ? parts[i + 1u].first : NULL;
        }
    }
    return before == NULL ? calls : before + 1;
}
