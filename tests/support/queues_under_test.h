/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_QUEUES_UNDER_TEST_H
#define SUPPORT_QUEUES_UNDER_TEST_H

#include "delay_queues.h"
#include "store.h"
#include <stddef.h>
#include <string.h>

/*
 * Every delay queue, put together as in a generated system, in a table: the conformance suite and
 * the fuzzer go through it. The queues are those whose headers say how they are made
 * (delay_queues.h, which the build makes). Small wheels, so that keys of a test leave the window
 * and go round.
 */
struct queue_under_test {
    const char *name;
    void *queue;
    size_t bytes;
    void (*init)(void);
    const struct hrli_store *calls;
};

/* The queue, empty, in memory that was not. */
static inline void *queue_under_test_init(const struct queue_under_test *test)
{
    memset(test->queue, 0xbe, test->bytes);
    test->init();
    return test->queue;
}

#define QUEUE_UNDER_TEST(queue) HRLI_QUEUE_STORE(queue) HRLI_QUEUE(kept_##queue, queue, 512, 64, 7)
HRLI_DELAY_QUEUES(QUEUE_UNDER_TEST)

#define QUEUE_IN_TABLE(queue)                                                                      \
    {#queue, &kept_##queue, sizeof(kept_##queue), kept_##queue##_init, &queue##_store},

/* The initialiser of an array of struct queue_under_test. */
#define QUEUE_TABLE                                                                                \
    {                                                                                              \
        HRLI_DELAY_QUEUES(QUEUE_IN_TABLE)                                                          \
    }

#endif
