/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LIMITED_THREAD_H
#define HRLI_LIMITED_THREAD_H

#include "limited_jobs.h"

/*
 * limited_<i>, the body of thread `i` that is to run `releases` jobs and no more. At file scope,
 * without a semicolon.
 */
#define HRLI_LIMITED_THREAD(i, releases)                                                           \
    static void limited_##i(void)                                                                  \
    {                                                                                              \
        static HRL_SEMAPHORE_DEFINE(never, 0u, 1u);                                                \
        static uint32_t left = (releases);                                                         \
                                                                                                   \
        hrli_limited_jobs_run(&left, &never, hrl_gen_body_##i);                                    \
    }

/*
 * limited_<task>, the body of a task that is to have `releases` jobs and no more in a thread that it
 * shares. The thread (kernel/assemble/shared_thread.h) runs on for as long as one of its tasks has jobs left.
 */
#define HRLI_LIMITED_SHARED_JOB(task, releases)                                                    \
    static uint32_t left_of_##task = (releases);                                                   \
    static void limited_##task(void)                                                               \
    {                                                                                              \
        if (left_of_##task != 0u) {                                                                \
            left_of_##task--;                                                                      \
            hrl_gen_body_##task();                                                                 \
        }                                                                                          \
    }

/* limited_shared_<i>, the body of shared thread `i`, which ends once `is_over` holds of its tasks. */
#define HRLI_LIMITED_SHARED_THREAD(i, is_over)                                                     \
    static void limited_shared_##i(void)                                                           \
    {                                                                                              \
        static HRL_SEMAPHORE_DEFINE(never, 0u, 1u);                                                \
                                                                                                   \
        if (is_over) {                                                                             \
            (void)hrl_semaphore_take(&never, HRL_FOREVER);                                         \
        }                                                                                          \
        run_shared_##i();                                                                          \
    }
#define HRLI_LIMITED_IS_OVER(task) (left_of_##task == 0u)

#endif
