/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_campaign.h"
#include "queue_model.h"
#include "random.h"
#include "with_cmocka.h"

static struct hrli_queue_node nodes[MODEL_NODES];
static struct queue_model model;

static void compare(const struct queue_campaign *campaign)
{
    struct hrli_queue_node *expected = model.count == 0 ? NULL : &nodes[model.order[0]];

    if (campaign->first(campaign->queue) != expected) { /* cmocka's assert is slow */
        assert_ptr_equal(campaign->first(campaign->queue), expected);
    }
    campaign->check(campaign->queue, model.count);
}

static void insert(const struct queue_campaign *campaign, size_t node, uint64_t instant)
{
    bool is_first = model_insert(&model, node, instant);

    nodes[node].key = (hrl_stamp)instant;
    if (campaign->insert(campaign->queue, &nodes[node]) != is_first) {
        assert_int_equal(!is_first, is_first);
    }
    compare(campaign);
}

static void pop(const struct queue_campaign *campaign)
{
    size_t node = model.order[0];

    campaign->pop(campaign->queue, &nodes[node]);
    model_remove(&model, node);
    memset(&nodes[node], 0xA5, sizeof nodes[node]); /* its links mean nothing */
    compare(campaign);
}

static void take_out(const struct queue_campaign *campaign, size_t node)
{
    campaign->remove(campaign->queue, &nodes[node]);
    model_remove(&model, node);
    memset(&nodes[node], 0xA5, sizeof nodes[node]);
    compare(campaign);
}

enum { ASCENDING, DESCENDING, EQUAL, EXTREMES, ONE_SLOT, ORDERS };

static uint64_t ordered(unsigned order, size_t i, size_t count, uint32_t slot_width)
{
    uint64_t start = UINT32_MAX - 500u; /* the wrap is near */

    switch (order) {
    case ASCENDING:
        return start + i * 997;
    case DESCENDING:
        return start + (count - i) * 997;
    case EQUAL:
        return start;
    case EXTREMES:
        return i % 2 == 0 ? start + i : start + MODEL_SPAN - i;
    default: /* 7919 is prime, so all are distinct in a slot as wide as a power of two */
        return (uint64_t)slot_width * 1000 + (i * 7919) % slot_width;
    }
}

void queue_campaign_orders(const struct queue_campaign *campaign, size_t count, uint32_t slot_width)
{
    for (unsigned order = 0; order < ORDERS; order++) {
        for (int with_removals = 0; with_removals < 2; with_removals++) {
            memset(&model, 0, sizeof model);
            for (size_t i = 0; i < count; i++) {
                insert(campaign, i, ordered(order, i, count, slot_width));
            }
            for (size_t i = 0; with_removals && i < count; i += 3) {
                take_out(campaign, i);
            }
            while (model.count != 0) {
                pop(campaign);
            }
        }
    }
}

/* An instant for one more node: near, far, equal to another's, as far as allowed, or past. */
static uint64_t any_instant(struct random *random, uint64_t now)
{
    uint64_t delay = random_next(random) >> random_below(random, 32);

    switch (random_below(random, 16)) {
    case 0:
    case 1:
        return model_admissible(&model, now - delay);
    case 2:
    case 3:
    case 4:
        if (model.count != 0) {
            return model.instants[model.order[random_below(random, (uint32_t)model.count)]];
        }
        return now;
    case 5:
        return model_admissible(&model, now + MODEL_SPAN);
    case 6:
        return model_admissible(&model, now - (random_below(random, 64) == 0 ? MODEL_SPAN : 1));
    default:
        return model_admissible(&model, now + delay);
    }
}

void queue_campaign_random(const struct queue_campaign *campaign, uint64_t operations)
{
    struct random random = {7};
    uint64_t now = (uint64_t)1 << 40;
    uint32_t usual = 24; /* how many nodes are in, more or less; changes */

    memset(&model, 0, sizeof model);
    for (uint64_t i = 0; i < operations; i++) {
        size_t node = random_below(&random, 48);

        if (i % 4096 == 0) {
            usual = random_below(&random, 48);
        }
        if (!model.is_in[node] && (model.count <= usual || random_below(&random, 4) == 0)) {
            insert(campaign, node, any_instant(&random, now));
        } else if (model.is_in[node] && random_below(&random, 3) == 0) {
            take_out(campaign, node);
        } else if (model.count != 0) {
            now = model_first_instant(&model);
            pop(campaign);
        }
    }
    while (model.count != 0) {
        pop(campaign);
    }
}

uint64_t queue_campaign_operations(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "soak") == 0 ? 100000000 : 1000000;
}
