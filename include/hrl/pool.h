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

/* The double words of a block of `bytes`; it has room for two pointers at least. */
#define HRLI_POOL_WORDS(bytes)                                                                     \
    (((bytes) + 7u) / 8u > sizeof(void *) / 4u ? ((bytes) + 7u) / 8u : sizeof(void *) / 4u)

/* The double words in which `count` blocks of at least `bytes` fit. */
#define HRL_POOL_BLOCKS(bytes, count) (HRLI_POOL_WORDS(bytes) * (count))

/* Defines a pool of `count` blocks of at least `bytes`, which is not 0, at file scope. */
#define HRL_POOL_DEFINE(pool_name, bytes, count)                                                   \
    HRLI_STATIC_ASSERT((bytes) > 0 && (count) > 0,                                                 \
                       "block size and number of blocks must be above 0");                         \
    static uint64_t pool_name##_blocks[HRL_POOL_BLOCKS(bytes, count)];                             \
    struct hrl_pool pool_name = HRL_POOL_INIT(pool_name##_blocks, bytes)

/*
 * The initialiser of one, for arrays, with storage of its own for blocks of `bytes`:
 *
 *     static uint64_t storage[2][HRL_POOL_BLOCKS(sizeof(struct frame), 8)];
 *     struct hrl_pool frames[2] = {HRL_POOL_INIT(storage[0], sizeof(struct frame)), ...
 */
#define HRL_POOL_INIT(storage, bytes)                                                              \
    {                                                                                              \
        0, HRLI_ZERO, storage, (storage) + sizeof(storage) / sizeof(storage)[0], storage,          \
            (uint32_t)(HRLI_POOL_WORDS(bytes) * 8u +                                               \
                       HRLI_REQUIRE(sizeof(storage) % (HRLI_POOL_WORDS(bytes) * 8u) == 0))         \
    }

/*
 * Takes a block into *block; with none there, waits: HRL_OK, HRL_WOULD_WAIT or HRL_TIMED_OUT.
 * Context: a thread that may wait; with HRL_NO_WAIT also any other and an interrupt. Cost: as to take
 * a semaphore.
 */
enum hrl_status hrl_pool_take(struct hrl_pool *pool, void **block, hrl_counts until);

/*
 * Gives back `block`, which hrl_pool_take gave from this pool. Checks find an address that is no
 * block of the pool, and a block given twice, unless its second word was written in between.
 * Context: a thread, an interrupt. Cost: constant, and with checks a division.
 */
void hrl_pool_give(struct hrl_pool *pool, void *block);

#ifdef __cplusplus
}
#endif

#endif
