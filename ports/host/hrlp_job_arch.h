/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_JOB_ARCH_H
#define HRLP_JOB_ARCH_H

#include "hrlp_host_jobs.h"

/* The work loop takes no time of its own: the job's counts pass for it. */
static inline void hrl_work(uint32_t turns)
{
    (void)turns;
}

#define HRLP_JOB_BODY(task, call, counts)                                                          \
    static void call_of_##task(void)                                                               \
    {                                                                                              \
        call;                                                                                      \
    }                                                                                              \
    void hrl_gen_body_##task(void);                                                                \
    void hrl_gen_body_##task(void)                                                                 \
    {                                                                                              \
        hrlp_host_job(task, call_of_##task, counts);                                               \
    }
#define HRLP_JOB_BODY_AND(task, call, counts, ...)                                                 \
    static void call_of_##task(void)                                                               \
    {                                                                                              \
        call;                                                                                      \
    }                                                                                              \
    static void activations_of_##task(void)                                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    void hrl_gen_body_##task(void);                                                                \
    void hrl_gen_body_##task(void)                                                                 \
    {                                                                                              \
        hrlp_host_job_and(task, call_of_##task, counts, activations_of_##task);                    \
    }

/* No job: what it takes is charged to none. */
#define HRLP_HANDLER_BODY(handler, call, counts)                                                   \
    static void call_of_##handler(void)                                                            \
    {                                                                                              \
        call;                                                                                      \
    }                                                                                              \
    void hrl_gen_body_##handler(void);                                                             \
    void hrl_gen_body_##handler(void)                                                              \
    {                                                                                              \
        hrlp_host_handler(handler, call_of_##handler, counts);                                     \
    }

#endif
