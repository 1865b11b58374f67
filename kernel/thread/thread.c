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
#include <hrl/time.h>

/*
 * For so many counts after an upper half of instants has begun, more than interrupts take between
 * two loads, that half is not compared with the clock's: the clock's may change right after it was
 * read.
 */
#define NEAR_COUNTS ((uint32_t)1 << 20)
#define HALF_OF_STAMPS ((uint32_t)1 << 31)

/* How the thread finds its next release. `is_near`: within NEAR_COUNTS of an upper half's begin. */
static void set_step(struct hrli_periodic_thread *self, bool is_near)
{
    struct hrli_waiter *waiter = &self->waiter;

    self->is_slow = is_near || waiter->period.hops != 0;
    waiter->step = self->is_slow || waiter->period.numerator != 0 ? 0 : waiter->period.counts;
}

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
    set_step(periodic, false); /* the clock has not started */
    if (HRL_RELEASE_LEVELS && hrli_mask_is_alone(&thread->ready)) {
        hrli_ready_stand_alone(&hrli_core.ready, &thread->ready);
    }
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

/* hrli_releaser_calls.enqueue of the waiter's releaser, and its context. */
static inline __attribute__((always_inline)) bool enqueue(struct hrli_periodic_thread *self,
                                                          hrl_stamp from, uint32_t span)
{
    struct hrli_waiter *waiter = &self->waiter;

    return hrli_mask_bit(&self->thread.ready) != 0
               ? hrli_release_by_mask_enqueue(waiter->releaser, waiter, from, span)
               : waiter->releaser->calls->enqueue(waiter->releaser, waiter, from, span);
}

/*
 * enqueue of a thread that is always alone on its level, with all words known. Context: that of
 * hrli_releaser_calls.enqueue.
 */
static inline __attribute__((always_inline)) bool enqueue_alone(struct hrli_periodic_thread *self,
                                                                hrl_stamp from, uint32_t span)
{
    const struct hrli_releaser *releaser = self->waiter.releaser;

    hrlp_irq_mask();
    if (releaser->served - from >= span) {
        hrlp_irq_unmask();
        return false;
    }
    hrli_ready_await_alone(&hrli_core.ready, &self->thread.ready);
    hrlp_irq_unmask();
    return true;
}

/*
 * Waits for the instant `step` counts after the waiter's key, which becomes its key; returns false
 * at once if that has passed, however long ago. Beyond a hop's length the clock alone decides, so
 * that stamps are compared that are nearer only.
 */
static bool wait_by_whole_clock(struct hrli_periodic_thread *self, uint32_t step)
{
    struct hrli_waiter *waiter = &self->waiter;
    hrl_counts due = ((hrl_counts)waiter->high << 32 | waiter->node.key) + step;
    hrl_stamp key = (hrl_stamp)due;

    waiter->node.key = key;
    waiter->high = (uint32_t)(due >> 32);
    set_step(self, key < NEAR_COUNTS);
    hrli_core_lock_dispatch();
    if (hrl_now() < due + HRLI_PERIOD_HOP_COUNTS &&
        enqueue(self, key - HALF_OF_STAMPS, HALF_OF_STAMPS)) {
        hrlp_cpu_request_switch(); /* allows dispatch */
        return true;
    }
    hrli_core_unlock_dispatch();
    return false;
}

/*
 * hrl_release_wait of a thread that is late, or that has a period with hops, or if its next key or
 * the present instant lies in another upper half. The next release is `step` counts, and hops, after
 * its key. Apart, for the registers that it needs. A thread that slept at a hop was not late, even if
 * the release has passed since.
 */
static __attribute__((noinline)) uint32_t wait_slowly(struct hrli_periodic_thread *self,
                                                      uint32_t step)
{
    struct hrli_waiter *waiter = &self->waiter;

    for (uint32_t missed = 0;;) {
        bool waited = false;

        for (uint32_t hops = waiter->period.hops; hops != 0; hops--) {
            waited |= wait_by_whole_clock(self, HRLI_PERIOD_HOP_COUNTS);
        }
        if (wait_by_whole_clock(self, step) || waited) {
            return missed;
        }
        if (self->is_shared) {
            self->is_behind = true;
            set_step(self, true);
            return 0;
        }
        self->overruns++;
        hrl_overrun_hook(&self->thread, waiter->node.key);
        if (self->queue_overruns) {
            return 0;
        }
        missed++;
        step = hrli_period_advance(&waiter->period, 0);
    }
}

static inline __attribute__((always_inline)) void
check_release_wait(const struct hrli_periodic_thread *self)
{
    HRLI_CHECK(hrli_is_thread() && self->thread.life == HRLI_PERIODIC,
               "hrl_release_wait: for periodic threads");
    HRLI_CHECK(hrli_holds_no_resource(), "the end of a job that holds a resource");
    HRLI_CHECK(!hrlp_irq_is_masked(), "the end of a job with interrupts masked");
}

/* Goes to the next thread, dispatch held off; `body` as in wait_for_release. */
static inline __attribute__((always_inline)) void leave_job(void (**body)(void))
{
    if (HRLP_CPU_LEAVES && body != NULL) {
        *body = hrlp_cpu_leave(*body); /* sets the threshold */
    } else {
        hrlp_cpu_request_switch(); /* sets the threshold, too */
    }
}

/*
 * hrl_release_wait. `*body`, unless it is NULL, is the thread's body: nothing else is to be kept
 * meanwhile.
 *
 * The thread may come late by any time. While the last release, the next one and the present
 * instant have one upper half, each is less than 2^32 counts after the first, and 32 bits decide.
 */
static inline __attribute__((always_inline)) uint32_t wait_for_release(void (**body)(void))
{
    struct hrli_periodic_thread *self = (struct hrli_periodic_thread *)hrli_core.running;
    struct hrli_waiter *waiter;
    uint32_t step;
    hrl_stamp from, key;

    check_release_wait(self);
    waiter = &self->waiter;
    step = waiter->step;
    if (__builtin_expect(step == 0, 0)) {
        if (self->is_slow) {
            return wait_slowly(self, hrli_period_advance(&waiter->period, 0));
        }
        if (waiter->period.numerator == 0) {
            __builtin_unreachable(); /* set_step */
        }
        step = hrli_period_advance(&waiter->period, 0);
    }
    from = waiter->node.key;
    hrli_core_lock_dispatch();
    if (__builtin_expect(
            __builtin_add_overflow(from, step, &key) || hrli_clock_high() != waiter->high, 0)) {
        return wait_slowly(self, step);
    }
    waiter->node.key = key;
    if (HRL_RELEASE_LEVELS && __builtin_expect(hrli_mask_is_alone(&self->thread.ready), 1)) {
        if (__builtin_expect(!enqueue_alone(self, from, step), 0)) {
            return wait_slowly(self, 0);
        }
    } else if (__builtin_expect(!enqueue(self, from, step), 0)) {
        return wait_slowly(self, 0);
    }
    leave_job(body);
    return 0;
}

uint32_t hrl_release_wait(void)
{
    return wait_for_release(NULL);
}

/* Runs the further jobs where leaving is cheap, once the first job has ended. */
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
