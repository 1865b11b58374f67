/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "thread.h"
#include "context.h"
#include "core.h"
#include "hrlp_clock.h"
#include "release_by_mask.h"
#include "stack.h"
#include "stamp.h"
#include "system.h"
#include <hrl/hooks.h>

static void run_jobs(void *argument)
{
    struct hrli_periodic_thread *self = argument;

    for (;;) {
        self->body();
        (void)hrl_release_wait();
    }
}

static void run_further_jobs(void);

void hrli_thread_prepare(struct hrli_periodic_thread *periodic)
{
    struct hrl_thread *thread = &periodic->thread;
    struct hrli_waiter *waiter = &periodic->waiter;

    hrli_stack_paint(thread);
    thread->ready.base_level = thread->ready.level;
    thread->life = HRLI_PERIODIC;
    thread->stack_pointer =
        HRLP_CPU_LEAVES
            ? hrlp_cpu_stack_prepare_call(thread->stack, thread->stack_bytes, periodic->body,
                                          run_further_jobs)
            : hrlp_cpu_stack_prepare(thread->stack, thread->stack_bytes, run_jobs, periodic);
    waiter->releaser->calls->enrol(waiter->releaser, waiter);
}

static void prepare_all(const struct hrli_system *system)
{
    for (uint32_t i = 0; i < system->releaser_count; i++) {
        system->releasers[i]->ready = &hrli_core.ready;
    }
    for (uint32_t i = 0; i < system->thread_count; i++) {
        hrli_thread_prepare(&system->threads[i]);
    }
}

static void start_all(const struct hrli_system *system)
{
    for (uint32_t i = 0; i < system->releaser_count; i++) {
        system->releasers[i]->calls->start(system->releasers[i]);
    }
    for (uint32_t i = 0; i < system->releaser_count; i++) {
        if (!hrli_stamp_after(system->releasers[i]->next, hrlp_clock_read())) {
            hrl_assert_hook("the cells' start took until after the first release", __FILE__,
                            __LINE__);
        }
    }
}

const struct hrli_enrolment hrli_enrolment = {prepare_all, start_all};

/*
 * Waits until the releaser has served the waiter's key; returns false at once if it has passed
 * already. `*body`, unless it is NULL, is the thread's body: nothing else is to be kept meanwhile.
 */
static inline __attribute__((always_inline)) bool wait_for_key(struct hrli_periodic_thread *self,
                                                               void (**body)(void))
{
    struct hrli_waiter *waiter = &self->waiter;

    hrli_core_hold_dispatch();
    if (hrli_mask_bit(&self->thread.ready) != 0
            ? hrli_release_by_mask_hold(waiter->releaser, waiter)
            : waiter->releaser->calls->hold(waiter->releaser, waiter)) {
        if (HRLP_CPU_LEAVES && body != NULL) {
            *body = hrlp_cpu_leave(*body); /* sets the threshold */
        } else {
            hrlp_cpu_request_switch(); /* likewise */
        }
        return true;
    }
    hrli_core_allow_dispatch(self->thread.ready.level);
    return false;
}

/*
 * The hops of a period that is longer than one; whether it slept at the last. Apart, as few tasks
 * have any and every job would pay for the registers.
 */
static __attribute__((noinline)) bool wait_at_hops(struct hrli_periodic_thread *self)
{
    struct hrli_waiter *waiter = &self->waiter;
    bool waited = false;

    for (uint32_t hops = waiter->period.hops; hops != 0; hops--) {
        waiter->node.key += HRLI_PERIOD_HOP_COUNTS;
        waited = wait_for_key(self, NULL);
    }
    return waited;
}

/* hrl_release_wait; `body` as above. */
static inline __attribute__((always_inline)) uint32_t wait_for_release(void (**body)(void))
{
    struct hrli_periodic_thread *self = (struct hrli_periodic_thread *)hrli_core.running;
    struct hrli_waiter *waiter;
    uint32_t missed = 0;

    HRLI_CHECK(hrli_is_thread() && self->thread.life == HRLI_PERIODIC,
               "hrl_release_wait: for periodic threads");
    HRLI_CHECK(hrli_holds_no_resource(), "the end of a job that holds a resource");
    HRLI_CHECK(!hrlp_irq_is_masked(), "the end of a job with interrupts masked");
    waiter = &self->waiter;
    for (;;) {
        bool waited = waiter->period.hops != 0 && wait_at_hops(self);

        waiter->node.key = hrli_period_advance(&waiter->period, waiter->node.key);
        /*
         * Who slept at the last hop was not late, even if the releaser served the release with it.
         */
        if (wait_for_key(self, body) || waited) {
            return missed;
        }
        self->overruns++;
        hrl_overrun_hook(&self->thread, waiter->node.key);
        if (self->queue_overruns) {
            return 0;
        }
        missed++;
    }
}

uint32_t hrl_release_wait(void)
{
    return wait_for_release(NULL);
}

/* The same where leaving is cheap, once the first job has ended. */
static void run_further_jobs(void)
{
    void (*body)(void) = ((struct hrli_periodic_thread *)hrli_core.running)->body;

    for (;; body()) {
        (void)wait_for_release(&body);
    }
}

uint32_t hrl_thread_overruns(const struct hrl_thread *thread)
{
    return thread->life == HRLI_PERIODIC ? ((const struct hrli_periodic_thread *)thread)->overruns
                                         : 0;
}

const char *hrl_thread_name(const struct hrl_thread *thread)
{
    return thread->name;
}
