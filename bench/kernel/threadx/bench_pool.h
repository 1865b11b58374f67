/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include "tx_api.h"
#include <stdbool.h>

typedef TX_BLOCK_POOL *bench_pool;

static inline bool bench_pool_take(bench_pool pool, void **block)
{
    return tx_block_allocate(pool, block, TX_WAIT_FOREVER) == TX_SUCCESS;
}

/* The block knows its pool. */
static inline bool bench_pool_give(bench_pool pool, void *block)
{
    (void)pool;
    return tx_block_release(block) == TX_SUCCESS;
}

/* A word before each block is ThreadX's. */
#define BENCH_POOL_DEFINE(name, bytes, blocks)                                                     \
    static ULONG name##_storage[(blocks) * ((bytes) / sizeof(ULONG) + 1)];                         \
    static TX_BLOCK_POOL name;                                                                     \
    static void name##_prepare(void)                                                               \
    {                                                                                              \
        (void)tx_block_pool_create(&name, #name, bytes, name##_storage, sizeof name##_storage);    \
    }
#define BENCH_POOL_PREPARE(name) name##_prepare()
#define BENCH_POOL(name) (&(name))

#endif
