/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SEMAPHORE_H
#define BENCH_SEMAPHORE_H

#include <hrl/semaphore.h>

typedef struct hrl_semaphore *bench_semaphore;

static inline bool bench_semaphore_take(bench_semaphore semaphore)
{
    return hrl_semaphore_take(semaphore, HRL_FOREVER) == HRL_OK;
}

static inline bool bench_semaphore_give(bench_semaphore semaphore)
{
    return hrl_semaphore_give(semaphore) == HRL_OK;
}

static inline bool bench_semaphore_give_from_interrupt(bench_semaphore semaphore)
{
    return bench_semaphore_give(semaphore);
}

/* Empty, holds one token; only thread `taker` takes it. */
#define BENCH_SEMAPHORE_DEFINE(name, taker) HRL_SEMAPHORE_DEFINE(name, 0, 1)
#define BENCH_SEMAPHORE_PREPARE(name) ((void)0)
#define BENCH_SEMAPHORE(name) (&(name))
#define BENCH_SEMAPHORE_TAKE(name) ((void)bench_semaphore_take(BENCH_SEMAPHORE(name)))
#define BENCH_SEMAPHORE_GIVE(name) ((void)bench_semaphore_give(BENCH_SEMAPHORE(name)))
#define BENCH_SEMAPHORE_GIVE_FROM_INTERRUPT(name)                                                  \
    ((void)bench_semaphore_give_from_interrupt(BENCH_SEMAPHORE(name)))

#endif
