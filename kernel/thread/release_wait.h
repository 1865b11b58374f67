/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_RELEASE_WAIT_H
#define HRLI_RELEASE_WAIT_H

#include "clock.h"
#include "context.h"
#include "core.h"
#include "hrlp_cell.h"
#include "release_by_mask.h"
#include "releaser.h"

/*
 * The end of a periodic thread's job, as a function to be put together with what enqueues the thread:
 * hrl_release_wait asks the thread's releaser for it, the loop of jobs of a releaser knows it.
 */

/* hrli_releaser_calls.enqueue of the thread's waiter, and its context. */
typedef bool hrli_release_enqueue(struct hrli_periodic_thread *self, hrl_stamp from, uint32_t span);

/*
 * For so many counts after an upper half of instants has begun, more than interrupts take between
 * two loads, that half is not compared with the clock's: the clock's may change right after it was
 * read.
 */
#define HRLI_RELEASE_NEAR_COUNTS ((uint32_t)1 << 20)

/* How the thread finds its next release. `is_near`: within HRLI_RELEASE_NEAR_COUNTS of an upper half's begin. */
static inline void hrli_release_set_step(struct hrli_periodic_thread *self, bool is_near)
{
    struct hrli_waiter *waiter = &self->waiter;
    bool is_slow = is_near || waiter->period.hops != 0 ||
                   waiter->period.counts <= HRLP_CELL_EARLY_COUNTS; /* one_shot.h: shorter */

    waiter->parts = is_slow ? 0 : waiter->period.numerator;
    waiter->step = is_slow || waiter->parts != 0 ? 0 : waiter->period.counts;
}

/*
 * hrl_release_wait of a thread that is late, or that has a period with hops, or if its next key or
 * the present instant lies in another upper half. The next release is `step` counts, and hops, after
 * its key. Apart, for the registers that it needs.
 */
uint32_t hrli_release_wait_slowly(struct hrli_periodic_thread *self, uint32_t step);

/*
 * hrli_release_enqueue of a thread of any kind. The thread's releaser says how, unless the thread is released
 * by a mask.
 */
static inline __attribute__((always_inline)) bool
hrli_release_enqueue_common(struct hrli_periodic_thread *self, hrl_stamp from, uint32_t span)
{
    struct hrli_waiter *waiter = &self->waiter;

    return hrli_mask_bit(&self->thread.ready) != 0
               ? hrli_release_by_mask_enqueue(waiter->releaser, waiter, from, span)
               : waiter->releaser->calls->enqueue(waiter->releaser, waiter, from, span);
}

/* hrli_release_enqueue of a thread that is always alone on its priority, with all words known. */
static inline __attribute__((always_inline)) bool
hrli_release_enqueue_alone(struct hrli_periodic_thread *self, hrl_stamp from, uint32_t span)
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

/* hrli_release_enqueue_common, but fast if the thread is always alone on its priority. */
static inline __attribute__((always_inline)) bool
hrli_release_enqueue_any(struct hrli_periodic_thread *self, hrl_stamp from, uint32_t span)
{
    if (HRL_RELEASE_PRIORITIES && __builtin_expect(hrli_mask_is_alone(&self->thread.ready), 1)) {
        return hrli_release_enqueue_alone(self, from, span);
    }
    return hrli_release_enqueue_common(self, from, span);
}

static inline __attribute__((always_inline)) void
hrli_release_wait_check(const struct hrli_periodic_thread *self)
{
    HRLI_CHECK(hrli_is_thread() && self->thread.life == HRLI_PERIODIC,
               "hrl_release_wait: for periodic threads");
    HRLI_CHECK(hrli_holds_no_resource(), "the end of a job that holds a resource");
    HRLI_CHECK(!hrlp_irq_is_masked(), "the end of a job with interrupts masked");
    (void)self; /* in a build without checks */
}

/* Goes to the next thread, dispatch held off; `body` as in hrli_release_wait. */
static inline __attribute__((always_inline)) void hrli_release_leave(void (**body)(void))
{
    if (HRLP_CPU_LEAVES && body != NULL) {
        *body = hrlp_cpu_leave(*body); /* sets the threshold */
    } else {
        hrlp_cpu_request_switch(); /* sets the threshold, too */
    }
}

/* from + step, in `key`; returns whether that is more than 32 bits. */
static inline __attribute__((always_inline)) bool
hrli_release_adds_over(hrl_stamp from, uint32_t step, hrl_stamp *key)
{
    if (HRLP_CPU_IS_NARROW) { /* the compiler compares once then */
        *key = from + step;
        return *key < from;
    }
    return __builtin_add_overflow(from, step, key);
}

/*
 * The first half of hrl_release_wait of `self`, the running thread: puts it where it waits, dispatch held off, and
 * returns true, so that the caller switches. False: it is not so simple, and the thread has waited, with `missed`
 * as the result.
 *
 * The thread may come late by any time. While the last release, the next one and the present
 * instant have one upper half, each is less than 2^32 counts after the first, and 32 bits decide.
 */
static inline __attribute__((always_inline)) bool
hrli_release_enter(struct hrli_periodic_thread *self, hrli_release_enqueue *enqueue,
                   uint32_t *missed)
{
    struct hrli_waiter *waiter;
    uint32_t step;
    hrl_stamp from, key;

    hrli_release_wait_check(self);
    waiter = &self->waiter;
    step = waiter->step;
    if (__builtin_expect(step == 0, 0)) {
        if (waiter->parts == 0) {
            *missed = hrli_release_wait_slowly(self, hrli_period_advance(&waiter->period, 0));
            return false;
        }
        step = hrli_period_advance_parts(&waiter->period, 0, waiter->parts);
    }
    from = waiter->node.key;
    hrli_core_lock_dispatch();
    if (__builtin_expect(
            hrli_release_adds_over(from, step, &key) || hrli_clock_high() != waiter->high, 0)) {
        *missed = hrli_release_wait_slowly(self, step);
        return false;
    }
    waiter->node.key = key;
    if (__builtin_expect(!enqueue(self, from, step), 0)) {
        *missed = hrli_release_wait_slowly(self, 0);
        return false;
    }
    return true;
}

/*
 * hrl_release_wait of `self`, the running thread. `*body`, unless it is NULL, is the thread's body:
 * nothing else is to be kept during the wait.
 */
static inline __attribute__((always_inline)) uint32_t
hrli_release_wait(struct hrli_periodic_thread *self, hrli_release_enqueue *enqueue,
                  void (**body)(void))
{
    uint32_t missed = 0;

    if (hrli_release_enter(self, enqueue, &missed)) {
        hrli_release_leave(body);
    }
    return missed;
}

/*
 * The loop of jobs of a thread that `enqueue` enqueues. Here the compiler keeps addresses in registers
 * from one job to the next. Context: the thread `self`.
 */
static inline __attribute__((always_inline)) void
hrli_release_run_jobs(struct hrli_periodic_thread *self, hrli_release_enqueue *enqueue)
{
    struct hrli_waiter *waiter = &self->waiter;

    for (;;) {
        uint32_t missed;

        waiter = hrlp_cpu_base(waiter); /* most of what is needed is near it */
        self = hrli_waiter_thread(waiter);
        self->body();
        waiter = hrlp_cpu_base(waiter);
        self = hrli_waiter_thread(waiter);
        if (hrli_release_enter(self, enqueue, &missed)) {
            hrlp_cpu_request_switch_in_loop(); /* sets the threshold */
        }
    }
}

#endif
