/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SEMAPHORE_H
#define BENCH_SEMAPHORE_H

#include "tx_api.h"
#include <stdbool.h>

typedef TX_SEMAPHORE *bench_semaphore;

static inline bool bench_semaphore_take(bench_semaphore semaphore)
{
    return tx_semaphore_get(semaphore, TX_WAIT_FOREVER) == TX_SUCCESS;
}

static inline bool bench_semaphore_give(bench_semaphore semaphore)
{
    return tx_semaphore_put(semaphore) == TX_SUCCESS;
}

static inline bool bench_semaphore_give_from_interrupt(bench_semaphore semaphore)
{
    return bench_semaphore_give(semaphore);
}

/* Empty; only the thread `taker` takes. ThreadX's semaphores have no limit. */
#define BENCH_SEMAPHORE_DEFINE(name, taker) static TX_SEMAPHORE name
#define BENCH_SEMAPHORE_PREPARE(name) ((void)tx_semaphore_create(&(name), #name, 0))
#define BENCH_SEMAPHORE(name) (&(name))
#define BENCH_SEMAPHORE_TAKE(name) ((void)bench_semaphore_take(BENCH_SEMAPHORE(name)))
#define BENCH_SEMAPHORE_GIVE(name) ((void)bench_semaphore_give(BENCH_SEMAPHORE(name)))

#endif
