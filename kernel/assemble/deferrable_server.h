/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DEFERRABLE_SERVER_H
#define HRLI_DEFERRABLE_SERVER_H

#include "sporadic_thread.h"

/*
 * A deferrable server, and its aperiodic task. A thread on `level` runs hrl_gen_body_<number> once for each
 * time that the semaphore activate_<name> is given; `most` wait behind the one that it has taken. Each job
 * takes a token of the capacity, of which there are `jobs`. hrl_gen_serve_<server>, the body of a periodic
 * thread of the same level, fills the capacity up; a thread that waits for a token has the first one.
 * HRLI_START_SPORADIC(number) lets the thread wait. At file scope, without a semicolon, behind
 * HRLI_STACK(number, ...).
 */
#define HRLI_DEFERRABLE_SERVER(server, number, name, level, jobs, most)                            \
    HRL_SEMAPHORE_DEFINE(activate_##name, 0, most);                                                \
    static HRL_SEMAPHORE_DEFINE(hrl_gen_capacity_##number, jobs, jobs);                            \
    HRLI_ACTIVATED_THREAD(number, name, level, hrl_semaphore_take_forever(&activate_##name);       \
                          hrl_semaphore_take_forever(&hrl_gen_capacity_##number))                  \
    void hrl_gen_serve_##server(void);                                                             \
    void hrl_gen_serve_##server(void)                                                              \
    {                                                                                              \
        for (uint32_t left = jobs; left != 0; left--) {                                            \
            if (hrl_semaphore_give(&hrl_gen_capacity_##number) != HRL_OK) {                        \
                break;                                                                             \
            }                                                                                      \
        }                                                                                          \
    }

#endif
