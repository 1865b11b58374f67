/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_THREAD_H
#define BENCH_THREAD_H

#include <hrl/thread.h>

typedef struct hrl_thread *bench_thread;

#define BENCH_THREAD_DEFINE(name, function, argument, level, bytes)                                \
    HRL_THREAD_DEFINE(name##_thread, function, argument, level, bytes);                            \
    static void name##_start(void)                                                                 \
    {                                                                                              \
        hrl_thread_start(&name##_thread);                                                          \
    }

#define BENCH_THREAD(name) (&name##_thread)
#define BENCH_THREAD_START(name) name##_start()
#define BENCH_THREAD_RESUME(name) hrl_thread_resume(BENCH_THREAD(name))
#define BENCH_THREAD_RESUME_FROM_INTERRUPT(name) hrl_thread_resume(BENCH_THREAD(name))
#define BENCH_THREAD_SUSPEND_SELF(name) hrl_thread_suspend(BENCH_THREAD(name))

static inline void bench_yield(void)
{
    hrl_thread_yield();
}

#endif
