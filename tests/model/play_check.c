/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "play_check.h"
#include "hrlp_host_machine.h"
#include "period.h"
#include "play_run.h"
#include "stamp.h"
#include "system.h"
#include "system_under_test.h"
#include "wait.h"

enum { NO_THREAD = 99 };

/* What the walk through the structures has seen of each thread. */
static struct {
    bool ready, armed;
    const struct hrli_wait_queue *queue;
} seen[SCRIPT_THREADS];

static void must(bool is_so, const char *broken, unsigned thread)
{
    if (!is_so) {
        hrlp_host_fatal(broken, thread);
    }
}

static unsigned number_of(const struct hrl_thread *thread)
{
    unsigned i = 0;

    while (i < play.script->thread_count && play.threads[i] != thread) {
        i++;
    }
    must(i < play.script->thread_count, "something that is no thread stands in a structure",
         NO_THREAD);
    return i;
}

static const struct hrl_thread *thread_of(const struct hrli_queue_node *timeout)
{
    return (const struct hrl_thread *)((const char *)timeout -
                                       offsetof(struct hrl_thread, timeout));
}

static void check_level_of_ready_queue(unsigned level)
{
    const struct hrli_ready_link *ring = &hrli_core.ready.levels[level];
    bool occupied = (hrli_core.ready.occupied[hrli_ready_word(level)] & hrli_ready_bit(level)) != 0;

    must(occupied == (ring->next != ring), "a level's bit is not what its ring is", level);
    for (const struct hrli_ready_link *link = ring->next; link != ring; link = link->next) {
        const struct hrl_thread *thread = hrli_thread_of((struct hrli_ready_node *)link);

        must(link->next->previous == link && link->previous->next == link,
             "the ready queue's links do not fit together", level);
        must(thread->ready.priority == level, "ready in a level that is not its own", level);
        if (level != 0) {
            unsigned i = number_of(thread);
            must(!seen[i].ready, "twice in the ready queue", i);
            seen[i].ready = true;
        }
    }
}

/* A queue: levels descend, the threads of one are a ring, and all of them wait for just this. */
static void check_queue(const struct hrli_wait_queue *queue)
{
    uint32_t above = HRL_PRIORITIES;
    struct hrl_thread *const *link = &queue->first;

    for (const struct hrl_thread *first = queue->first; first != NULL; first = first->wait.lower) {
        const struct hrl_thread *thread = first;

        must(first->ready.priority < above, "a queue's levels do not descend", number_of(first));
        must(first->wait.link == link, "a level's first does not know what points to it",
             number_of(first));
        above = first->ready.priority;
        link = &first->wait.lower;
        do {
            unsigned i = number_of(thread);

            must(thread->ready.priority == above, "in a queue at another level", i);
            must(thread->wait.next->wait.previous == thread, "a queue's ring is broken", i);
            must(thread->wait_status == HRLI_WAITING && thread->wait.queue == queue,
                 "in a queue, but does not wait there", i);
            must(seen[i].queue == NULL, "twice in a queue", i);
            seen[i].queue = queue;
            thread = thread->wait.next;
            must(thread == first || thread->wait.link == NULL, "points above, but is no first",
                 number_of(thread));
        } while (thread != first);
    }
}

static bool is_alarm(const struct hrli_queue_node *node)
{
    for (unsigned i = 0; i < play.script->alarm_count; i++) {
        if (&play.alarms[i].timeout.node == node) {
            must(play.alarms[i].runs, "in the store, but does not run, alarm", i);
            return true;
        }
    }
    return false;
}

static void check_timeouts(void)
{
    const struct hrli_queue_node *head = sut_timeouts();
    const struct hrli_queue_node *node = head->next;

    for (; node != head; node = node->next) {
        const struct hrl_thread *thread = thread_of(node);
        unsigned i = is_alarm(node) ? NO_THREAD : number_of(thread);

        must(node->next->previous == node && node->previous->next == node,
             "the store's links do not fit together", i);
        must(node->previous == head || !hrli_stamp_after(node->previous->key, node->key),
             "the store is not in order", i);
        if (i == NO_THREAD) {
            continue;
        }
        must(thread->timeout_state == HRLI_TIMEOUT_ARMED, "in the store, but not armed", i);
        must(!hrli_stamp_after(node->key, (hrl_stamp)hrlp_host_now() + HRLI_PERIOD_HOP_COUNTS),
             "in the store for longer than a hop", i);
        must(!seen[i].armed, "twice in the store", i);
        seen[i].armed = true;
    }
}

/*
 * Between calls: a started thread runs, is ready, is suspended, or waits for something that can
 * come.
 */
static void check_thread(unsigned i, uint32_t level_due)
{
    const struct hrl_thread *thread = play.threads[i];

    must(seen[i].armed == (thread->timeout_state == HRLI_TIMEOUT_ARMED),
         "armed, but not in the store", i);
    must(!seen[i].ready || (thread->life == HRLI_STARTED && !thread->suspended),
         "ready, though suspended or not started", i);
    if (thread->life == HRLI_STARTED) {
        const struct hrli_wait_queue *queue = thread->wait.queue; /* NULL: it sleeps */
        bool waits = thread->wait_status == HRLI_WAITING && seen[i].queue == queue;

        must(seen[i].ready || thread->suspended || (queue == NULL ? seen[i].armed : waits),
             "a thread is lost", i);
        must(thread->ready.priority >= level_due, "less urgent than it has to be", i);
    }
}

static uint32_t level_due(const struct hrl_thread *thread)
{
    uint32_t level = thread->ready.base_priority;

    for (unsigned i = 0; i < play.script->mutex_count; i++) {
        const struct hrl_mutex *mutex = &play.mutexes[i];
        const struct hrl_thread *first = mutex->waiters.first;

        if (mutex->owner == thread) {
            level = mutex->ceiling > level ? mutex->ceiling : level;
            level = first != NULL && first->ready.priority > level ? first->ready.priority : level;
        }
    }
    return level;
}

static void check_objects(void)
{
    for (unsigned i = 0; i < play.script->semaphore_count; i++) {
        const struct hrl_semaphore *one = &play.semaphores[i];
        check_queue(&one->waiters);
        must(one->count <= one->limit, "more tokens than its limit, semaphore", i);
        must(one->count == 0 || one->waiters.first == NULL, "a thread waits for semaphore", i);
    }
    for (unsigned i = 0; i < play.script->queue_count; i++) {
        const struct hrl_message_queue *one = &play.queues[i];
        check_queue(&one->receivers);
        check_queue(&one->senders);
        must(one->count <= one->capacity, "more messages than there is room, queue", i);
        must(one->count == 0 || one->receivers.first == NULL, "a thread waits to receive", i);
        must(one->count == one->capacity || one->senders.first == NULL, "waits to send", i);
    }
    for (unsigned i = 0; i < play.script->pool_count; i++) {
        const struct hrl_pool *one = &play.pools[i];
        check_queue(&one->waiters);
        must((one->free == NULL && one->fresh == one->end) || one->waiters.first == NULL,
             "a thread waits for a block of pool", i);
    }
    for (unsigned i = 0; i < play.script->mutex_count; i++) {
        check_queue(&play.mutexes[i].waiters);
        must(play.mutexes[i].owner != NULL || play.mutexes[i].waiters.first == NULL,
             "a thread waits for mutex", i);
    }
    for (unsigned i = 0; i < play.script->event_count; i++) {
        check_queue(&play.events[i].waiters);
    }
    for (unsigned i = 0; i < play.script->alarm_count; i++) {
        check_queue(&play.alarms[i].waiters);
    }
    for (unsigned i = 0; i < play.script->thread_count; i++) {
        check_queue(&play.threads[i]->joiners);
    }
}

void play_check(bool between_calls)
{
    for (unsigned i = 0; i < play.script->thread_count; i++) {
        seen[i].ready = seen[i].armed = false;
        seen[i].queue = NULL;
    }
    for (unsigned level = 0; level < HRL_PRIORITIES; level++) {
        check_level_of_ready_queue(level);
    }
    check_objects();
    if (!hrl_gen_system.timeouts->releaser->busy) {
        check_timeouts();
    }
    for (unsigned i = 0; i < play.script->thread_count && between_calls; i++) {
        check_thread(i, level_due(play.threads[i]));
    }
    for (unsigned i = 0; i < play.script->event_count && between_calls; i++) {
        must(play.events[i].walk == NULL, "a set has not ended, event", i);
    }
}
