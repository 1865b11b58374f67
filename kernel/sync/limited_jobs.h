/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LIMITED_JOBS_H
#define HRLI_LIMITED_JOBS_H

#include <hrl/semaphore.h>

/*
 * A periodic thread that runs a limited number of jobs: after the last one, once it has been
 * released again, it waits for ever, for a semaphore of its own, so that the ends of other threads
 * cost it nothing. Only systems with such threads include this.
 */

/* Runs in the place of `body`: of the thread's jobs `left` are still to come. Context: the thread. */
static inline void hrli_limited_jobs_run(uint32_t *left, struct hrl_semaphore *never,
                                         void (*body)(void))
{
    if (*left == 0u) {
        (void)hrl_semaphore_take(never, HRL_FOREVER);
    }
    (*left)--;
    body();
}

#endif
