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

static inline bool bench_thread_resume(bench_thread thread)
{
    hrl_thread_resume(thread);
    return true;
}

static inline bool bench_thread_resume_from_interrupt(bench_thread thread)
{
    return bench_thread_resume(thread);
}

/* `thread` is the caller. */
static inline bool bench_thread_suspend_self(bench_thread thread)
{
    hrl_thread_suspend(thread);
    return true;
}

#define BENCH_THREAD(name) (&name##_thread)
#define BENCH_THREAD_START(name) name##_start()
#define BENCH_THREAD_RESUME(name) ((void)bench_thread_resume(BENCH_THREAD(name)))
#define BENCH_THREAD_RESUME_FROM_INTERRUPT(name)                                                   \
    ((void)bench_thread_resume_from_interrupt(BENCH_THREAD(name)))
#define BENCH_THREAD_SUSPEND_SELF(name) ((void)bench_thread_suspend_self(BENCH_THREAD(name)))

static inline void bench_yield(void)
{
    hrl_thread_yield();
}

#endif
