/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "thread.h"
#include "context.h"
#include "core.h"
#include "hrlp_clock.h"
#include "release_by_mask.h"
#include "release_wait.h"
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
    bool is_slow = is_near || waiter->period.hops != 0 ||
                   waiter->period.counts <= HRLP_CELL_EARLY_COUNTS; /* one_shot.h: shorter */

    waiter->parts = is_slow ? 0 : waiter->period.numerator;
    waiter->step = is_slow || waiter->parts != 0 ? 0 : waiter->period.counts;
}

/* The loop of jobs of releasers that have none of their own. */
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
    void (*run)(void *argument);

    hrli_stack_paint(thread);
    thread->ready.base_level = thread->ready.level;
    thread->life = HRLI_PERIODIC;
    set_step(periodic, false); /* the clock has not started */
    if (hrli_mask_is_alone(&thread->ready)) {
        hrli_ready_stand_alone(&hrli_core.ready, &thread->ready);
    }
    run = waiter->releaser->calls->run;
    thread->stack_pointer = HRLP_CPU_LEAVES
                                ? hrlp_cpu_stack_prepare_call(thread->stack, thread->stack_bytes,
                                                              periodic->body, run_further_jobs)
                                : hrlp_cpu_stack_prepare(thread->stack, thread->stack_bytes,
                                                         run == NULL ? run_jobs : run, periodic);
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

/* A thread that slept at a hop was not late, even if the release has passed since. */
__attribute__((noinline)) uint32_t hrli_release_wait_slowly(struct hrli_periodic_thread *self,
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

/* enqueue, of whatever kind. */
static inline __attribute__((always_inline)) bool enqueue_any(struct hrli_periodic_thread *self,
                                                              hrl_stamp from, uint32_t span)
{
    if (HRL_RELEASE_LEVELS && __builtin_expect(hrli_mask_is_alone(&self->thread.ready), 1)) {
        return enqueue_alone(self, from, span);
    }
    return enqueue(self, from, span);
}

uint32_t hrl_release_wait(void)
{
    return hrli_release_wait((struct hrli_periodic_thread *)hrli_core.running, enqueue_any, NULL);
}

/* Runs the further jobs where leaving is cheap, once the first job has ended. */
static void run_further_jobs(void)
{
    void (*body)(void) = ((struct hrli_periodic_thread *)hrli_core.running)->body;

    for (;; body()) {
        (void)hrli_release_wait((struct hrli_periodic_thread *)hrli_core.running, enqueue_any,
                                &body);
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
