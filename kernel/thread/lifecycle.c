/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "lifecycle.h"
#include "change_elsewhere.h"
#include "context.h"
#include "stack.h"
#include "wait.h"

/* Threads from start to end, and what may suspend them between. */

static void run_thread(void *argument)
{
    struct hrl_thread *self = argument;

    self->entry(self->argument);
    hrl_thread_exit();
}

static bool is_periodic(const struct hrl_thread *thread)
{
    return HRLP_SEE(thread->life) == HRLI_PERIODIC;
}

/*
 * Whether `thread` would run if it were not suspended. A thread that sleeps is in no queue; one in
 * a queue may have been given what it waits for while its time-out is still armed. Context:
 * interrupts masked.
 */
static bool has_nothing_to_wait_for(const struct hrl_thread *thread)
{
    if (HRLP_SEE(thread->life) != HRLI_STARTED ||
        hrli_is_woken(thread)) { /* the doorbell's handler makes it ready */
        return false;
    }
    if (HRLP_SEE(thread->wait.queue) == NULL) {
        return HRLP_SEE(thread->timeout_state) != HRLI_TIMEOUT_ARMED;
    }
    return thread->wait_status != HRLI_WAITING ||
           HRLP_SEE(thread->timeout_state) == HRLI_TIMEOUT_EXPIRED;
}

/* From now on no other thread starts `thread`, on the same stack. With checks only. */
static void claim(struct hrl_thread *thread)
{
    hrlp_irq_state state = hrli_sync_lock();
    uint8_t life = HRLP_SEE_PUBLISHED(thread->life);

    if (life == HRLI_DORMANT || life == HRLI_ENDED) {
        thread->life = HRLI_STARTING;
    }
    hrli_sync_unlock(state);
    HRLI_CHECK(life == HRLI_DORMANT || life == HRLI_ENDED, "a thread started twice");
}

/* Whether its core has dispatched `thread`. Context: the lock of services is held. */
static bool is_running(const struct hrl_thread *thread)
{
#if HRL_CORES > 1 /* as threads have no such field on one core */
    const struct hrli_core *core = hrlp_core_object(&hrli_core, thread->core);

    if (HRL_GLOBAL_THREADS && hrli_is_global(thread)) {
        return hrli_global_is_on(thread);
    }
    return thread == HRLP_SEE_PUBLISHED(core->running);
#else
    return thread == hrli_core.running;
#endif
}

/*
 * A thread says that it has ended before it leaves its stack. Its core has left it as soon as another one runs
 * there: hrli_cpu_switch is called with everything saved, and the thread that ends holds other switches off.
 */
static void await_end(const struct hrl_thread *thread)
{
    bool is_on_stack;

    do {
        hrlp_irq_state state = hrli_sync_lock();
        is_on_stack = (hrli_is_global(thread) || hrli_is_elsewhere(thread)) && is_running(thread);
        hrli_sync_unlock(state);
    } while (is_on_stack);
}

/* Readies `thread` for its entry function. */
static void prepare_start(struct hrl_thread *thread)
{
    HRLI_CHECK(thread->entry != NULL && !is_periodic(thread),
               "hrl_thread_start: the thread has no entry function");
    HRLI_CHECK(thread->ready.base_priority >= 1 && thread->ready.base_priority < HRL_PRIORITIES,
               "a thread's priority is from 1 to HRL_PRIORITIES - 1");
    if (HRL_CHECKS) {
        claim(thread);
    }
    if (HRL_CORES > 1) {
        await_end(thread);
    }
    hrli_core_prepare();
    thread->ready.priority = thread->ready.base_priority;
    thread->wait_status = HRL_OK;
    thread->suspended = false;
    hrli_stack_paint(thread);
    thread->stack_pointer =
        hrlp_cpu_stack_prepare(thread->stack, thread->stack_bytes, run_thread, thread);
    if (HRL_GLOBAL_THREADS && hrli_is_global(thread)) {
        hrli_global_prepare(thread);
    }
}

void hrl_thread_start(struct hrl_thread *thread)
{
    hrlp_irq_state state;

    HRLI_CHECK_THREAD_OR_START_UP("hrl_thread_start");
    prepare_start(thread);
    state = hrli_sync_lock();
    thread->life = HRLI_STARTED;
    if (HRL_GLOBAL_THREADS && hrli_is_global(thread)) {
        hrli_global_wake(thread);
        hrli_sync_unlock(state);
        return;
    }
    if (HRL_CORES > 1 && hrli_is_elsewhere(thread)) {
        hrli_ready_is_out(&thread->ready);
        hrli_wake_elsewhere(thread);
        hrli_sync_unlock(state);
        return;
    }
    hrli_ready_add(&hrli_core.ready, &thread->ready);
    hrli_sync_unlock(state);
    if (thread->ready.priority > hrli_core.threshold) {
        hrli_core_request_switch();
    }
}

/* The thread waits for nothing but its resumption. */
void hrl_thread_start_suspended(struct hrl_thread *thread)
{
    hrlp_irq_state state;

    HRLI_CHECK_THREAD_OR_START_UP("hrl_thread_start_suspended");
    HRLI_CHECK_OF_ONE_CORE("hrl_thread_start_suspended", thread);
    prepare_start(thread);
    state = hrli_sync_lock();
    thread->life = HRLI_STARTED;
    thread->suspended = true;
    hrli_sync_unlock(state);
}

/* From the first step on no other thread runs, so the list of joiners only becomes shorter. */
void hrl_thread_exit(void)
{
    struct hrl_thread *self = hrli_core.running;
    hrlp_irq_state state;

    HRLI_CHECK_MAY_WAIT("hrl_thread_exit");
    HRLI_CHECK(self->entry != NULL, "hrl_thread_exit: a periodic or idle thread must not end");
    HRLI_CHECK(self->held == NULL, "hrl_thread_exit: the thread owns a mutex");
    hrli_core_lock_dispatch();
    HRLP_PUBLISH(self->life, HRLI_ENDED); /* to see that is to see all that it has done */
    state = hrli_sync_lock();
    while (self->joiners.first != NULL) {
        struct hrl_thread *joiner = self->joiners.first;

        hrli_wait_queue_remove(joiner);
        hrli_wake(joiner, HRL_OK);
        hrli_sync_unlock(state);
        state = hrli_sync_lock();
    }
    (void)hrli_wait_forever(state); /* in no queue, so that nothing wakes it */
    for (;;) {                      /* never reached */
    }
}

enum hrl_status hrl_thread_join(struct hrl_thread *thread, hrl_counts until)
{
    hrlp_irq_state state;

    HRLI_CHECK_WAIT("hrl_thread_join", until);
    HRLI_CHECK(thread != hrli_core.running || until == HRL_NO_WAIT,
               "hrl_thread_join: a thread must not join itself");
    state = hrli_sync_lock();
    if (HRLP_SEE_PUBLISHED(thread->life) == HRLI_ENDED) {
        hrli_sync_unlock(state);
        return HRL_OK;
    }
    return hrli_wait(&thread->joiners, until, state);
}

/* The caller runs, so it is ready; another thread may be waiting. */
void hrl_thread_suspend(struct hrl_thread *thread)
{
    const bool is_caller = thread == hrli_core.running;
    hrlp_irq_state state;

    HRLI_CHECK_THREAD_OR_START_UP("hrl_thread_suspend");
    HRLI_CHECK_OF_ONE_CORE("hrl_thread_suspend", thread);
    if (is_caller) {
        HRLI_CHECK_MAY_WAIT("hrl_thread_suspend of the caller");
    }
    state = hrli_sync_lock();
    HRLI_CHECK(HRLP_SEE(thread->life) == HRLI_STARTED && HRLP_SEE(thread->ready.base_priority) != 0,
               "hrl_thread_suspend: the thread is not started, is periodic, or is the idle thread");
    HRLP_SHOW(thread->suspended, true);
    if (!hrli_changed_elsewhere(thread) &&
        (is_caller || hrli_ready_contains(&hrli_core.ready, &thread->ready))) {
        hrli_ready_remove(&hrli_core.ready, &thread->ready);
    }
    hrli_sync_unlock(state);
    if (is_caller) {
        hrlp_cpu_request_switch();
    }
}

void hrl_thread_resume(struct hrl_thread *thread)
{
    hrlp_irq_state state;
    bool goes_on;

    HRLI_CHECK_CALL("hrl_thread_resume");
    HRLI_CHECK_OF_ONE_CORE("hrl_thread_resume", thread);
    state = hrli_sync_lock();
    if (hrli_is_elsewhere(thread)) {
        HRLP_SHOW(thread->suspended, false);
        (void)hrli_changed_elsewhere(thread);
        hrli_sync_unlock(state);
        return;
    }
    goes_on = thread->suspended && has_nothing_to_wait_for(thread);
    HRLP_SHOW(thread->suspended, false);
    if (goes_on) {
        hrli_ready_add(&hrli_core.ready, &thread->ready);
    }
    hrli_sync_unlock(state);
    if (goes_on) {
        hrli_core_dispatch_above(thread->ready.priority);
    }
}

#if HRL_CORES > 1 /* as the others are on one core */
void hrli_suspension_apply(struct hrl_thread *thread)
{
    hrlp_irq_state state = hrli_sync_lock();
    bool is_ready = hrli_ready_contains(&hrli_core.ready, &thread->ready);

    if (thread->suspended) {
        if (is_ready) {
            hrli_ready_remove(&hrli_core.ready, &thread->ready);
        }
    } else if (!is_ready && has_nothing_to_wait_for(thread)) {
        hrli_ready_add(&hrli_core.ready, &thread->ready);
    }
    hrli_sync_unlock(state);
}
#endif

/* Another core's ready queue is not looked at. Context: the lock of services is held. */
static bool is_ready(const struct hrl_thread *thread)
{
#if HRL_CORES > 1 /* as a second caller would keep the compiler from inlining */
    if (HRL_GLOBAL_THREADS && hrli_is_global(thread)) {
        return hrli_global_is_offered(thread);
    }
    if (hrli_is_elsewhere(thread)) {
        return has_nothing_to_wait_for(thread) || hrli_is_woken(thread);
    }
#endif
    return hrli_ready_contains(&hrli_core.ready, &thread->ready);
}

enum hrl_thread_state hrl_thread_state_of(const struct hrl_thread *thread)
{
    enum hrl_thread_state seen = HRL_THREAD_WAITING;
    hrlp_irq_state state;

    HRLI_CHECK(!is_periodic(thread) || !hrli_is_elsewhere(thread),
               "hrl_thread_state_of: a periodic thread of another core");
    state = hrli_sync_lock();
    if (HRL_CORES == 1 ? thread == hrli_core.running : is_running(thread)) {
        seen = HRL_THREAD_RUNNING;
    } else if (HRLP_SEE(thread->life) == HRLI_DORMANT ||
               (HRL_CHECKS && HRLP_SEE(thread->life) == HRLI_STARTING)) {
        seen = HRL_THREAD_DORMANT;
    } else if (HRLP_SEE(thread->life) == HRLI_ENDED) {
        seen = HRL_THREAD_ENDED;
    } else if (thread->suspended) {
        seen = HRL_THREAD_SUSPENDED;
    } else if (is_ready(thread)) {
        seen = HRL_THREAD_READY;
    }
    hrli_sync_unlock(state);
    return seen;
}
