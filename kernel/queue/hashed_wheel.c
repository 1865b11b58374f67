/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hashed_wheel.h"
#include "slot_ring.h"
#include "stamp.h"

static inline uint32_t slot_of(const struct hrli_hashed_wheel *wheel, hrl_stamp key)
{
    return wheel->slot_count + ((key >> wheel->width_bits) & (wheel->slot_count - 1));
}

void hrli_hashed_wheel_init(struct hrli_hashed_wheel *wheel, uint32_t width_bits,
                            struct hrli_queue_node **storage, size_t slot_count)
{
    wheel->winners = storage;
    wheel->width_bits = width_bits;
    wheel->slot_count = (uint32_t)slot_count;
    for (size_t i = 0; i < HRLI_HASHED_WHEEL_STORAGE(slot_count); i++) {
        storage[i] = NULL;
    }
}

bool hrli_hashed_wheel_insert(struct hrli_hashed_wheel *wheel, struct hrli_queue_node *node)
{
    struct hrli_queue_node **winners = wheel->winners;
    hrl_stamp key = node->key;
    uint32_t place = slot_of(wheel, key);

    if (!hrli_slot_ring_insert(&winners[place], node)) {
        return false;
    }
    while (place > 1) { /* it wins as long as it is before the winner so far */
        struct hrli_queue_node *winner;

        place /= 2;
        winner = winners[place];
        if (winner != NULL && !hrli_stamp_after(winner->key, key)) {
            return false;
        }
        winners[place] = node;
    }
    return true;
}

void hrli_hashed_wheel_remove(struct hrli_hashed_wheel *wheel, struct hrli_queue_node *node)
{
    struct hrli_queue_node **winners = wheel->winners;
    uint32_t place = slot_of(wheel, node->key);
    bool was_first = winners[place] == node;
    struct hrli_queue_node *winner = hrli_slot_ring_remove(&winners[place], node);

    if (!was_first) {
        return;
    }
    while (place > 1) { /* its successor plays all its matches again */
        struct hrli_queue_node *other = winners[place ^ 1];

        if (winner == NULL || (other != NULL && hrli_stamp_after(winner->key, other->key))) {
            winner = other;
        }
        place /= 2;
        winners[place] = winner;
    }
}
