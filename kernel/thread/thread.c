/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "thread.h"
#include "context.h"
#include "hrlp_clock.h"
#include "release_wait.h"
#include "stack.h"
#include "stamp.h"
#include "system.h"
#include "woken.h"
#include <hrl/hooks.h>
#include <hrl/time.h>

/* The loop of jobs of releasers that have none of their own. */
static void run_jobs(void *argument)
{
    struct hrli_periodic_thread *self = argument;

    for (;;) {
        self->body();
        (void)hrl_release_wait();
    }
}

/* The further jobs of a thread where leaving is cheap, once the first job has ended. */
static void run_further_jobs(void)
{
    void (*body)(void) = ((struct hrli_periodic_thread *)hrli_core.running)->body;

    for (;; body()) {
        (void)hrli_release_wait((struct hrli_periodic_thread *)hrli_core.running,
                                hrli_release_enqueue_any, &body);
    }
}

void hrli_thread_prepare(struct hrli_periodic_thread *periodic)
{
    struct hrl_thread *thread = &periodic->thread;
    struct hrli_waiter *waiter = &periodic->waiter;
    void (*run)(void *argument);

    hrli_stack_paint(thread);
    thread->ready.base_priority = thread->ready.priority;
    thread->life = HRLI_PERIODIC;
    hrli_set_core(thread);
    hrli_release_set_step(periodic, false); /* the clock has not started */
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

static void prepare_all(HRLP_CONST struct hrli_system *system)
{
    for (uint32_t i = 0; i < system->releaser_count; i++) {
        system->releasers[i]->ready = &hrli_core.ready;
    }
    for (uint32_t i = 0; i < system->thread_count; i++) {
        hrli_thread_prepare(&system->threads[i]);
    }
}

static void start_all(HRLP_CONST struct hrli_system *system)
{
    for (uint32_t i = 0; i < system->releaser_count; i++) {
        system->releasers[i]->calls->start(system->releasers[i]);
    }
    for (uint32_t i = 0; i < system->releaser_count; i++) {
        if (!hrli_stamp_after(system->releasers[i]->next, hrlp_clock_read())) {
            HRLP_CPU_STOP("the cells' start took until after the first release", __FILE__,
                          __LINE__);
        }
    }
}

HRLP_CONST struct hrli_enrolment hrli_enrolment = {prepare_all, start_all};

uint32_t hrl_thread_overruns(const struct hrl_thread *thread)
{
    return thread->life == HRLI_PERIODIC ? ((const struct hrli_periodic_thread *)thread)->overruns
                                         : 0;
}

HRLP_CONST char *hrl_thread_name(const struct hrl_thread *thread)
{
    return thread->name;
}
