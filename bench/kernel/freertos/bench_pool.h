/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include "FreeRTOS.h"
#include "queue.h"

/*
 * FreeRTOS has no pools. What does the same, with waiting and from interrupts, is a queue that holds
 * pointers to the free blocks. (heap/bench_pool.h is the other way, a heap.)
 */
#define BENCH_POOL_DEFINE(name, bytes, blocks)                                                     \
    static uint64_t name##_blocks[blocks][(bytes) / 8];                                            \
    static uint8_t name##_storage[(blocks) * sizeof(void *)];                                      \
    static StaticQueue_t name;                                                                     \
    static void name##_prepare(void)                                                               \
    {                                                                                              \
        (void)xQueueCreateStatic(blocks, sizeof(void *), name##_storage, &name);                   \
        for (unsigned i = 0; i < (blocks); i++) {                                                  \
            void *block = name##_blocks[i];                                                        \
            (void)xQueueSend((QueueHandle_t)&name, &block, 0);                                     \
        }                                                                                          \
    }
#define BENCH_POOL_PREPARE(name) name##_prepare()
#define BENCH_POOL_TAKE(name, block)                                                               \
    ((void)xQueueReceive((QueueHandle_t) & (name), &(block), portMAX_DELAY))
#define BENCH_POOL_GIVE(name, block)                                                               \
    ((void)xQueueSend((QueueHandle_t) & (name), &(block), portMAX_DELAY))

#endif
