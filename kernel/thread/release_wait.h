/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_RELEASE_WAIT_H
#define HRLI_RELEASE_WAIT_H

#include "clock.h"
#include "context.h"
#include "core.h"
#include "releaser.h"

/*
 * The end of a periodic thread's job, as a function to be put together with what enqueues the thread:
 * hrl_release_wait asks the thread's releaser for it, the loop of jobs of a releaser knows it.
 */

/* hrli_releaser_calls.enqueue of the thread's waiter, and its context. */
typedef bool hrli_release_enqueue(struct hrli_periodic_thread *self, hrl_stamp from, uint32_t span);

/*
 * hrl_release_wait of a thread that is late, or that has a period with hops, or if its next key or
 * the present instant lies in another upper half. The next release is `step` counts, and hops, after
 * its key. Apart, for the registers that it needs.
 */
uint32_t hrli_release_wait_slowly(struct hrli_periodic_thread *self, uint32_t step);

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

/*
 * hrl_release_wait of `self`, the running thread. `*body`, unless it is NULL, is the thread's body:
 * nothing else is to be kept meanwhile.
 *
 * The thread may come late by any time. While the last release, the next one and the present
 * instant have one upper half, each is less than 2^32 counts after the first, and 32 bits decide.
 */
static inline __attribute__((always_inline)) uint32_t
hrli_release_wait(struct hrli_periodic_thread *self, hrli_release_enqueue *enqueue,
                  void (**body)(void))
{
    struct hrli_waiter *waiter;
    uint32_t step;
    hrl_stamp from, key;

    hrli_release_wait_check(self);
    waiter = &self->waiter;
    step = waiter->step;
    if (__builtin_expect(step == 0, 0)) {
        if (waiter->parts == 0) {
            return hrli_release_wait_slowly(self, hrli_period_advance(&waiter->period, 0));
        }
        step = hrli_period_advance_parts(&waiter->period, 0, waiter->parts);
    }
    from = waiter->node.key;
    hrli_core_lock_dispatch();
    if (__builtin_expect(
            __builtin_add_overflow(from, step, &key) || hrli_clock_high() != waiter->high, 0)) {
        return hrli_release_wait_slowly(self, step);
    }
    waiter->node.key = key;
    if (__builtin_expect(!enqueue(self, from, step), 0)) {
        return hrli_release_wait_slowly(self, 0);
    }
    hrli_release_leave(body);
    return 0;
}

/*
 * The loop of jobs of a thread that `enqueue` enqueues. Here the compiler keeps addresses in registers
 * from one job to the next. Context: the thread `self`.
 */
static inline __attribute__((always_inline)) void
hrli_release_run_jobs(struct hrli_periodic_thread *self, hrli_release_enqueue *enqueue)
{
    for (;;) {
        self->body();
        (void)hrli_release_wait(self, enqueue, NULL);
    }
}

#endif
