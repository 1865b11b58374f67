/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include <hrl/pool.h>

typedef struct hrl_pool *bench_pool;

static inline bool bench_pool_take(bench_pool pool, void **block)
{
    return hrl_pool_take(pool, block, HRL_FOREVER) == HRL_OK;
}

static inline bool bench_pool_give(bench_pool pool, void *block)
{
    hrl_pool_give(pool, block);
    return true;
}

#define BENCH_POOL_DEFINE(name, bytes, blocks) HRL_POOL_DEFINE(name, bytes, blocks);
#define BENCH_POOL_PREPARE(name) ((void)0)
#define BENCH_POOL(name) (&(name))
#define BENCH_POOL_TAKE(name, block) ((void)bench_pool_take(BENCH_POOL(name), &(block)))
#define BENCH_POOL_GIVE(name, block) ((void)bench_pool_give(BENCH_POOL(name), block))

#endif
