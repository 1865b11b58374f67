/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ready_set.h"

void hrli_ready_init(struct hrli_ready_set *set)
{
    set->words = 0;
    for (uint32_t word = 0; word < HRLI_READY_WORDS; word++) {
        set->occupied[word] = 0;
    }
    for (uint32_t level = 0; level < HRL_PRIORITIES; level++) {
        set->levels[level].next = &set->levels[level];
        set->levels[level].previous = &set->levels[level];
        if (HRL_RELEASE_MASKS) {
            hrli_ready_masked(set)->ready[level] = 0;
            hrli_ready_masked(set)->waiting[level] = 0;
        }
    }
}
