/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_QUEUE_ADAPTERS_H
#define SUPPORT_QUEUE_ADAPTERS_H

#include "delay_queues.h"
#include "store.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Every delay queue, put together as in a generated system, in a table: the conformance suite and
 * the fuzzer go through it. The queues are those whose headers say how they are made
 * (delay_queues.h, which the build makes). Small wheels, so that keys of a test leave the window
 * and go round.
 */
enum { ADAPTER_NODES = 512, ADAPTER_SLOTS = 64, ADAPTER_WIDTH_BITS = 7 };

struct queue_operations {
    const char *name;
    void *storage;
    size_t bytes;
    void (*make_empty)(void);
    bool (*insert)(void *queue, struct hrli_queue_node *node);
    struct hrli_queue_node *(*first)(void *queue);
    void (*pop)(void *queue, struct hrli_queue_node *first);
    void (*remove)(void *queue, struct hrli_queue_node *node);
};

/* The queue, empty, in memory that was not. */
static inline void *queue_operations_init(const struct queue_operations *operations)
{
    memset(operations->storage, 0xbe, operations->bytes);
    operations->make_empty();
    return operations->storage;
}

#define QUEUE_ADAPT(queue)                                                                         \
    HRLI_QUEUE_CALLS(queue)                                                                        \
    HRLI_QUEUE(adapted_##queue, queue, ADAPTER_NODES, ADAPTER_SLOTS, ADAPTER_WIDTH_BITS)
HRLI_DELAY_QUEUES(QUEUE_ADAPT)

#define QUEUE_LINE(label, kept, queue)                                                             \
    {                                                                                              \
        label, &(kept), sizeof(kept), kept##_init, queue##_insert, queue##_first, queue##_pop,     \
            queue##_remove                                                                         \
    }
#define QUEUE_LINE_OF(queue) QUEUE_LINE(#queue, adapted_##queue, queue),

/* The initialiser of an array of queue_operations. */
#define QUEUE_TABLE                                                                                \
    {                                                                                              \
        HRLI_DELAY_QUEUES(QUEUE_LINE_OF)                                                           \
    }

#endif
