/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_THREAD_H
#define BENCH_THREAD_H

#include "tx_api.h"
#include <stdbool.h>

typedef TX_THREAD *bench_thread;

/* In ThreadX 0 is the highest priority. */
#define BENCH_THREAD_DEFINE(name, function, argument, level, bytes)                                \
    static ULONG name##_stack[(bytes) / sizeof(ULONG)];                                            \
    static TX_THREAD name##_thread;                                                                \
    static void name##_start(void)                                                                 \
    {                                                                                              \
        (void)tx_thread_create(&name##_thread, #name, (void (*)(ULONG))(function),                 \
                               (ULONG)(argument), name##_stack, sizeof name##_stack,               \
                               TX_MAX_PRIORITIES - 1 - (level), TX_MAX_PRIORITIES - 1 - (level),   \
                               TX_NO_TIME_SLICE, TX_AUTO_START);                                   \
    }

static inline bool bench_thread_resume(bench_thread thread)
{
    return tx_thread_resume(thread) == TX_SUCCESS;
}

static inline bool bench_thread_resume_from_interrupt(bench_thread thread)
{
    return bench_thread_resume(thread);
}

/* `thread` is the caller. */
static inline bool bench_thread_suspend_self(bench_thread thread)
{
    return tx_thread_suspend(thread) == TX_SUCCESS;
}

#define BENCH_THREAD(name) (&name##_thread)
#define BENCH_THREAD_START(name) name##_start()

static inline void bench_yield(void)
{
    tx_thread_relinquish();
}

#endif
