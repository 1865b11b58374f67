/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "level.h"
#include "change_elsewhere.h"
#include "context.h"

void hrl_thread_yield(void)
{
    HRLI_CHECK_MAY_WAIT("hrl_thread_yield");
    hrlp_cpu_yield();
}

static uint32_t level_due(const struct hrl_thread *thread)
{
    uint32_t level = HRLP_SEE(thread->ready.base_priority);

    for (const struct hrl_mutex *mutex = thread->held; mutex != NULL; mutex = mutex->next) {
        const struct hrl_thread *first = mutex->waiters.first;
        if (mutex->ceiling > level) {
            level = mutex->ceiling;
        }
        if (first != NULL && first->ready.priority > level) {
            level = first->ready.priority;
        }
    }
    return level;
}

static bool is_queued(const struct hrl_thread *thread)
{
    return thread->wait_status == HRLI_WAITING && thread->wait.queue != NULL;
}

/*
 * Takes `thread` out of its wait queue. Returns the link at which the caller inserts it again: `link`, unless
 * that is the thread's own link to the next lower priority, which leaves the queue with the thread. Then the
 * link that takes its place is returned: that of the second thread of the same priority, or, if there is
 * none, the link that pointed to `thread`.
 */
static struct hrl_thread **take_out(struct hrl_thread *thread, struct hrl_thread **link)
{
    struct hrl_thread *second = thread->wait.next;

    if (link == &thread->wait.lower) {
        link = second != thread ? &second->wait.lower : thread->wait.link;
    }
    hrli_wait_queue_remove(thread);
    return link;
}

/*
 * On one core an interrupt may wake it while its new place is searched. Context: dispatch held off, or the dispatch; with
 * several cores the lock of services is held.
 */
static void apply(struct hrl_thread *thread, uint32_t level)
{
    hrlp_irq_state state = hrlp_irq_lock();
    struct hrli_ready_node *node = &thread->ready;
    struct hrl_thread **link = NULL;
    bool is_ready;

    HRLI_CHECK(!hrli_mask_is_alone(node),
               "a thread with a priority of its own (HRL_OWN_PRIORITIES) must keep it");
    if (is_queued(thread)) {
        link = hrli_wait_queue_search(thread->wait.queue, level, state);
        link = is_queued(thread) ? take_out(thread, link) : NULL;
    }
    is_ready = hrli_ready_contains(&hrli_core.ready, node);
    if (is_ready) {
        hrli_ready_remove(&hrli_core.ready, node);
    }
    hrli_ready_set_level(&hrli_core.ready, node, level);
    if (thread == hrli_core.running && (HRL_CORES == 1 || is_ready)) {
        hrli_ready_add_first(&hrli_core.ready, node);
    } else if (is_ready) {
        hrli_ready_add(&hrli_core.ready, node);
    }
    if (link != NULL) {
        hrli_wait_queue_insert(link, thread);
    }
    hrlp_irq_unlock(state);
}

void hrli_level_update(struct hrl_thread *thread)
{
    while (thread != NULL) {
        hrlp_irq_state state = hrli_threads_lock();
        uint32_t level = level_due(thread);

        if (level == thread->ready.priority || hrli_changed_elsewhere(thread)) {
            hrli_threads_unlock(state); /* another core goes on from there */
            return;
        }
        apply(thread, level);
        thread = thread->awaited == NULL ? NULL : thread->awaited->owner;
        hrli_threads_unlock(state);
    }
}

#if HRL_CORES > 1 /* as on one core it is done at once */
void hrli_level_update_soon(struct hrl_thread *thread)
{
    if (level_due(thread) != thread->ready.priority) {
        hrli_change_soon(thread);
    }
}
#endif

uint32_t hrl_thread_get_priority(const struct hrl_thread *thread)
{
    return HRLP_SEE(thread->ready.base_priority);
}

/* Its core brings the level up to date. */
static void set_priority_elsewhere(struct hrl_thread *thread, uint32_t priority)
{
    hrlp_irq_state state = hrli_sync_lock();

    HRLP_SHOW(thread->ready.base_priority, (hrli_kept_level)priority);
    (void)hrli_changed_elsewhere(thread);
    hrli_sync_unlock(state);
}

void hrl_thread_set_priority(struct hrl_thread *thread, uint32_t priority)
{
    const struct hrl_mutex *awaited;

    HRLI_CHECK_THREAD_OR_START_UP("hrl_thread_set_priority");
    HRLI_CHECK_OF_ONE_CORE("hrl_thread_set_priority", thread);
    HRLI_CHECK(priority >= 1 && priority < HRL_PRIORITIES,
               "a thread's priority is from 1 to HRL_PRIORITIES - 1");
    HRLI_CHECK(HRLP_SEE(thread->ready.base_priority) != 0, "the priority of the idle thread is 0");
    HRLI_CHECK(thread != hrli_core.running || hrli_holds_no_resource(),
               "hrl_thread_set_priority of the caller: not with a resource held");
    awaited = HRLP_SEE(thread->awaited); /* read once: another core may end its wait meanwhile */
    HRLI_CHECK(awaited == NULL || awaited->ceiling == 0 || priority <= awaited->ceiling,
               "a thread above the ceiling of its mutex");
    if (hrli_is_elsewhere(thread)) {
        set_priority_elsewhere(thread, priority);
        return;
    }
    hrli_core_prepare();
    hrli_core_lock_dispatch();
    HRLP_SHOW(thread->ready.base_priority, (hrli_kept_level)priority);
    hrli_level_update(thread);
    if (hrli_core.running != NULL) { /* else hrl_start allows it */
        hrli_core_allow_dispatch(hrli_core.running->ready.priority);
    }
}
