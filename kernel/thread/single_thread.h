/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SINGLE_THREAD_H
#define HRLI_SINGLE_THREAD_H

#include "dispatch.h"
#include "hrlp_clock.h"
#include "periodic.h"

/*
 * The handler of a periodic cell that releases one thread only, on a port with handlers that can
 * end with the switch (hrlp_cpu.h): in the usual case the interrupt's instant releases that thread,
 * which preempts what runs, and all this is decided before anything is changed. In all other cases
 * the general handler runs.
 */

/*
 * `waiting` is the thread's entry in the harmonic array, which is due at every instant; `leave` is the
 * dispatch's, `general` the general handler. Context: the cell's handler, called as hrlp_cpu.h says.
 */
static inline __attribute__((always_inline)) struct hrlp_cpu_end
hrli_single_thread_interrupt(void *interrupted, struct hrli_periodic *releaser,
                             struct hrli_waiter **waiting, hrli_dispatch_leave *leave,
                             struct hrlp_cpu_end (*general)(void *interrupted))
{
    struct hrli_releaser *base = &releaser->base;
    hrl_stamp instant = base->next;
    uint32_t period = releaser->cell_period;
    uint32_t late = hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS - instant;
    struct hrli_waiter *waiter = *waiting;

    if (late < period && waiter != NULL &&
        hrli_waiter_ready(waiter)->priority > hrli_core.threshold &&
        hrli_ready_add_above_all(&hrli_core.ready, hrli_waiter_ready(waiter))) {
        struct hrl_thread *thread = &hrli_waiter_thread(waiter)->thread;
        void *saved = hrlp_cpu_saved(interrupted);

        *waiting = NULL;
        base->next = instant + period;
        hrli_releaser_mark_served(base, instant);
        waiter->released = instant;
        hrlp_trace_released(waiter, instant);
        return hrli_dispatch_end_with(thread, saved, leave);
    }
    return general(interrupted); /* last, so that the usual case needs no stack */
}

#endif
