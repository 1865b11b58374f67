/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_POOL_H
#define HRL_POOL_H

#include <hrl/objects.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Pools of blocks of one size.
 *
 *     HRL_POOL_DEFINE(frames, sizeof(struct frame), 8);
 *     if (hrl_pool_take(&frames, &block, HRL_NO_WAIT) == HRL_OK) {
 *         ... hrl_pool_give(&frames, block);
 *     }
 *
 * A block that is given while threads wait goes to the most urgent of them, of these to the one
 * that has waited longest. Blocks are aligned to 8 bytes; what is in them after a take is not
 * defined.
 */
struct hrl_pool {
    void *volatile free; /* the block given last; its first word: the one before it */
    struct hrli_wait_queue waiters;
    void *fresh; /* from here to the end no block has ever been taken */
    void *end;
    void *blocks;
    uint32_t block_bytes;
};

/* Of 8 bytes; at least two pointers. */
#define HRLI_POOL_WORDS(bytes)                                                                     \
    (((bytes) + 7u) / 8u > sizeof(void *) / 4u ? ((bytes) + 7u) / 8u : sizeof(void *) / 4u)

/* Defines a pool of `count` blocks of at least `bytes`, which is not 0, at file scope. */
#define HRL_POOL_DEFINE(pool_name, bytes, count)                                                   \
    static uint64_t pool_name##_blocks[HRLI_POOL_WORDS(bytes) * (count)];                          \
    struct hrl_pool pool_name = {0,                                                                \
                                 HRLI_ZERO,                                                        \
                                 pool_name##_blocks,                                               \
                                 pool_name##_blocks + HRLI_POOL_WORDS(bytes) * (count),            \
                                 pool_name##_blocks,                                               \
                                 (uint32_t)(HRLI_POOL_WORDS(bytes) * 8u)}

/*
 * Takes a block into *block; with none there, waits: HRL_OK, HRL_WOULD_WAIT or HRL_TIMED_OUT.
 * Context: a thread; with HRL_NO_WAIT also an interrupt. Cost: as to take a semaphore.
 */
enum hrl_status hrl_pool_take(struct hrl_pool *pool, void **block, hrl_counts until);

/*
 * Gives back `block`, which hrl_pool_take gave from this pool. What is no block of it is found, and
 * a block given twice, unless its second word was written in between. Context: a thread, an
 * interrupt. Cost: constant, and with checks a division.
 */
void hrl_pool_give(struct hrl_pool *pool, void *block);

#ifdef __cplusplus
}
#endif

#endif
