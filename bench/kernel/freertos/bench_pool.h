/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include "FreeRTOS.h"
#include "queue.h"
#include <stdbool.h>

/*
 * FreeRTOS has no pools. What does the same, with waiting and from interrupts, is a queue that holds
 * pointers to the free blocks. (heap/bench_pool.h is the other way, a heap.)
 */
typedef QueueHandle_t bench_pool;

static inline bool bench_pool_take(bench_pool pool, void **block)
{
    return xQueueReceive(pool, block, portMAX_DELAY) == pdTRUE;
}

static inline bool bench_pool_give(bench_pool pool, void *block)
{
    return xQueueSend(pool, &block, portMAX_DELAY) == pdTRUE;
}

#define BENCH_POOL_DEFINE(name, bytes, blocks)                                                     \
    static uint64_t name##_blocks[blocks][(bytes) / 8];                                            \
    static uint8_t name##_storage[(blocks) * sizeof(void *)];                                      \
    static StaticQueue_t name;                                                                     \
    static void name##_prepare(void)                                                               \
    {                                                                                              \
        (void)xQueueCreateStatic(blocks, sizeof(void *), name##_storage, &name);                   \
        for (unsigned i = 0; i < (blocks); i++) {                                                  \
            (void)bench_pool_give((QueueHandle_t)&name, name##_blocks[i]);                         \
        }                                                                                          \
    }
#define BENCH_POOL_PREPARE(name) name##_prepare()
#define BENCH_POOL(name) ((QueueHandle_t) & (name))
#define BENCH_POOL_TAKE(name, block) ((void)bench_pool_take(BENCH_POOL(name), &(block)))
#define BENCH_POOL_GIVE(name, block) ((void)xQueueSend(BENCH_POOL(name), &(block), portMAX_DELAY))

#endif
