/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SEMAPHORE_H
#define BENCH_SEMAPHORE_H

#include <hrl/semaphore.h>

/* Empty, holds one token; thread `taker` is the only one who takes. */
#define BENCH_SEMAPHORE_DEFINE(name, taker) HRL_SEMAPHORE_DEFINE(name, 0, 1)
#define BENCH_SEMAPHORE_PREPARE(name) ((void)0)
#define BENCH_SEMAPHORE_TAKE(name) ((void)hrl_semaphore_take(&(name), HRL_FOREVER))
#define BENCH_SEMAPHORE_GIVE(name) ((void)hrl_semaphore_give(&(name)))
#define BENCH_SEMAPHORE_GIVE_FROM_INTERRUPT(name) ((void)hrl_semaphore_give(&(name)))

#endif
