/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ready_queue.h"

void hrli_ready_init(struct hrli_ready_queue *queue)
{
    queue->words = 0;
    for (uint32_t word = 0; word < HRLI_READY_WORDS; word++) {
        queue->occupied[word] = 0;
    }
    for (hrli_level level = 0; level < HRL_PRIORITIES; level++) {
        queue->levels[level].next = &queue->levels[level];
        queue->levels[level].previous = &queue->levels[level];
        if (HRL_RELEASE_MASKS) {
            hrli_ready_masked(queue)->ready[level] = 0;
            hrli_ready_masked(queue)->waiting[level] = 0;
        }
    }
    if (HRL_RELEASE_PRIORITIES) {
        hrli_ready_masked(queue)->waiting[HRLI_MASK_WORDS - 1] = 0;
    }
}
