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

#endif
