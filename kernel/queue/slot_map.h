/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SLOT_MAP_H
#define HRLI_SLOT_MAP_H

#include "hrlp_cpu.h"
#include <stdint.h>

/*
 * Which of up to 1024 slots are occupied: a bit each, and a bit for each word of them.
 *
 * Every call is O(1): `next` looks at three words at most. Slot 0 is the highest bit of word 0, as
 * processors that find a bit in one instruction find the highest.
 */
#define HRLI_SLOT_MAP_SLOTS 1024u

struct hrli_slot_map {
    uint32_t
        words; /* which of `slots` are not 0, in the same order of bits; 0: no slot is occupied */
    uint32_t slots[HRLI_SLOT_MAP_SLOTS / 32];
};

static inline uint32_t hrli_slot_map_bit(uint32_t index)
{
    return 0x80000000u >> (index % 32u);
}

static inline uint32_t hrli_slot_map_lowest(uint32_t word)
{
    return 31u - hrlp_cpu_highest_bit(word);
}

static inline void hrli_slot_map_init(struct hrli_slot_map *map)
{
    map->words = 0;
    for (uint32_t i = 0; i < HRLI_SLOT_MAP_SLOTS / 32; i++) {
        map->slots[i] = 0;
    }
}

static inline void hrli_slot_map_set(struct hrli_slot_map *map, uint32_t slot)
{
    map->slots[slot / 32] |= hrli_slot_map_bit(slot);
    map->words |= hrli_slot_map_bit(slot / 32);
}

static inline void hrli_slot_map_clear(struct hrli_slot_map *map, uint32_t slot)
{
    uint32_t rest = map->slots[slot / 32] & ~hrli_slot_map_bit(slot);

    map->slots[slot / 32] = rest;
    if (rest == 0) {
        map->words &= ~hrli_slot_map_bit(slot / 32);
    }
}

/* The first occupied slot from `from` on, round the end; at least one is occupied. */
static inline uint32_t hrli_slot_map_next(const struct hrli_slot_map *map, uint32_t from)
{
    uint32_t word = from / 32;
    uint32_t bits = map->slots[word] & (UINT32_MAX >> (from % 32));

    if (bits == 0) {
        uint32_t words = map->words & (0x7FFFFFFFu >> word); /* those after `word` */

        word = hrli_slot_map_lowest(words != 0 ? words : map->words);
        bits = map->slots[word];
    }
    return 32 * word + hrli_slot_map_lowest(bits);
}

#endif
