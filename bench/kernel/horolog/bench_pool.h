/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include <hrl/pool.h>

#define BENCH_POOL_DEFINE(name, bytes, blocks) HRL_POOL_DEFINE(name, bytes, blocks);
#define BENCH_POOL_PREPARE(name) ((void)0)
#define BENCH_POOL_TAKE(name, block) ((void)hrl_pool_take(&(name), &(block), HRL_FOREVER))
#define BENCH_POOL_GIVE(name, block) hrl_pool_give(&(name), block)

#endif
