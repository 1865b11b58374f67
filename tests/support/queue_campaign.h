/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_QUEUE_CAMPAIGN_H
#define SUPPORT_QUEUE_CAMPAIGN_H

#include "queue_node.h"
#include "with_cmocka.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Runs of a delay queue against the plain model (queue_model.h), with the queue's structure checked
 * after every operation. For unit tests; fails through cmocka.
 */
struct queue_campaign {
    void *queue; /* empty, and empty again afterwards */
    bool (*insert)(void *queue, struct hrli_queue_node *node);
    struct hrli_queue_node *(*first)(void *queue);
    void (*pop)(void *queue, struct hrli_queue_node *first);
    void (*remove)(void *queue, struct hrli_queue_node *node);
    void (*check)(void *queue,
                  size_t count); /* asserts that the structure of `count` nodes is whole */
};

/*
 * The adversarial orders, with `nodes` nodes (at most MODEL_NODES): ascending, descending, all
 * equal, alternating extremes, all distinct and mixed up within `slot_width` counts; then out by
 * pop, or every third by remove first.
 */
void queue_campaign_orders(const struct queue_campaign *campaign, size_t nodes,
                           uint32_t slot_width);

/* As many random operations as said, on up to 48 nodes: all kinds of delay, past keys, wraps. */
void queue_campaign_random(const struct queue_campaign *campaign, uint64_t operations);

/* In a check: the same as assert_true, but fast where all is well. */
#define CAMPAIGN_CHECK(condition)                                                                  \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fail_msg("%s", #condition);                                                            \
        }                                                                                          \
    } while (0)

/* 10^6, or for a program with the argument `soak` 10^8. */
uint64_t queue_campaign_operations(int argc, char **argv);

#endif
