/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SHARED_THREAD_H
#define HRLI_SHARED_THREAD_H

#include "shared.h"

/*
 * run_shared_<i>, the body of a thread that several tasks share (kernel/thread/shared.h). At file
 * scope, without a semicolon; the first lines are an array of HRLI_SHARED_TASK:
 *
 *     static HRLP_CONST struct hrli_shared_task shared_tasks_0[] = {
 *         HRLI_SHARED_TASK(hrl_gen_body_0, "left"), HRLI_SHARED_TASK(hrl_gen_body_1, "right")};
 *     HRLI_SHARED_THREAD(0, 0, HRLI_SHARED_BY_SERVICE(hrl_gen_releaser_0.base),
 *                        HRLI_SHARED_JOB(0, 0, hrl_gen_body_0), HRLI_SHARED_LAST_JOB(hrl_gen_body_1))
 */
extern struct hrli_periodic_thread hrl_gen_threads[];

#define HRLI_SHARED_TASK(calls, is_named)                                                          \
    {                                                                                              \
        calls, HRLI_TEXT(is_named)                                                                 \
    }

/*
 * Thread number `at` of the array, with the lines of its jobs in order. `passed`: how it is told which
 * instants have passed, as the enqueue of its releaser's mode does.
 */
#define HRLI_SHARED_THREAD(i, at, passed, ...)                                                     \
    static struct hrli_shared_jobs                                                                 \
        shared_jobs_##i[sizeof shared_tasks_##i / sizeof shared_tasks_##i[0]];                     \
    static HRLP_CONST struct hrli_shared shared_##i = {                                            \
        &hrl_gen_threads[at], passed, shared_tasks_##i, shared_jobs_##i,                           \
        sizeof shared_jobs_##i / sizeof shared_jobs_##i[0]};                                       \
    static void run_shared_##i(void)                                                               \
    {                                                                                              \
        HRLP_CONST struct hrli_shared *shared = &shared_##i;                                       \
        uint32_t span = hrli_shared_span(&hrl_gen_threads[at]);                                    \
        hrl_stamp from = hrl_gen_threads[at].waiter.node.key;                                      \
                                                                                                   \
        if (__builtin_expect(span == 0, 0)) {                                                      \
            hrli_shared_run_slowly(shared);                                                        \
            return;                                                                                \
        }                                                                                          \
        __VA_ARGS__                                                                                \
    }
#define HRLI_SHARED_BY_SERVICE(releaser) &(releaser).served
#define HRLI_SHARED_BY_CLOCK NULL

/* Job number `at` of the thread, that of the task with this body. The wait finds the last one's overrun. */
#define HRLI_SHARED_JOB(i, at, body)                                                               \
    body();                                                                                        \
    if (__builtin_expect(hrli_shared_is_late(&shared_##i, from, span), 0)) {                       \
        hrli_shared_end_late(shared, at);                                                          \
        return;                                                                                    \
    }
#define HRLI_SHARED_LAST_JOB(body) body();

#endif
