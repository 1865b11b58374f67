/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ready_set.h"

void hrli_ready_init(struct hrli_ready_set *set)
{
    set->words = 0;
    for (uint32_t word = 0; word < HRLI_READY_WORDS; word++) {
        set->occupied[word] = 0;
    }
    for (uint32_t level = 0; level < HRL_LEVELS; level++) {
        set->levels[level].next = &set->levels[level];
        set->levels[level].previous = &set->levels[level];
        if (HRL_RELEASE_MASKS) {
            hrli_ready_masked(set)->ready[level] = 0;
            hrli_ready_masked(set)->waiting[level] = 0;
        }
    }
}

void hrli_ready_add_each(struct hrli_ready_set *set, uint32_t level, uint32_t bits)
{
    struct hrli_ready_node *const *mates = hrli_ready_masked(set)->mates[level];

    while (bits != 0) {
        uint32_t bit = hrlp_cpu_highest_bit(bits);

        bits &= ~((uint32_t)1 << bit);
        hrli_ready_add(set, mates[bit]);
    }
}
