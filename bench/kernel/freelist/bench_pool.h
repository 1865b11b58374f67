/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include "FreeRTOS.h"
#include "task.h"

/*
 * What people write on FreeRTOS when they want a pool and can do without waiting: a list of the free blocks in
 * a critical section.
 */
#define BENCH_POOL_DEFINE(name, bytes, blocks)                                                     \
    static void *name##_blocks[blocks][(bytes) / sizeof(void *)];                                  \
    static void *volatile name##_first;                                                            \
    __attribute__((noinline)) static void name##_give(void *block)                                 \
    {                                                                                              \
        taskENTER_CRITICAL();                                                                      \
        *(void **)block = name##_first;                                                            \
        name##_first = block;                                                                      \
        taskEXIT_CRITICAL();                                                                       \
    }                                                                                              \
    __attribute__((noinline)) static void *name##_take(void)                                       \
    {                                                                                              \
        void *block;                                                                               \
        taskENTER_CRITICAL();                                                                      \
        block = name##_first;                                                                      \
        if (block != NULL) {                                                                       \
            name##_first = *(void **)block;                                                        \
        }                                                                                          \
        taskEXIT_CRITICAL();                                                                       \
        return block;                                                                              \
    }                                                                                              \
    static void name##_prepare(void)                                                               \
    {                                                                                              \
        for (unsigned i = 0; i < (blocks); i++) {                                                  \
            *(void **)name##_blocks[i] = name##_first;                                             \
            name##_first = name##_blocks[i];                                                       \
        }                                                                                          \
    }
#define BENCH_POOL_PREPARE(name) name##_prepare()
#define BENCH_POOL_TAKE(name, block) ((block) = name##_take())
#define BENCH_POOL_GIVE(name, block) name##_give(block)

#endif
