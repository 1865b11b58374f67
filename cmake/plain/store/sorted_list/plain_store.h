/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_STORE_H
#define PLAIN_STORE_H

#include "sorted_list.h"

/*
 * STORE sorted_list: the least memory, for few threads that sleep. A folder for each store holds
 * these names.
 */
static struct hrli_sorted_list plain_queue;

static inline void plain_store_prepare(void)
{
    hrli_sorted_list_init(&plain_queue);
}

static inline bool plain_store_insert(void *queue, struct hrli_queue_node *node)
{
    return hrli_sorted_list_insert(queue, node);
}

static inline struct hrli_queue_node *plain_store_first(void *queue)
{
    return hrli_sorted_list_first(queue);
}

static inline void plain_store_pop(void *queue, struct hrli_queue_node *first)
{
    hrli_sorted_list_pop(queue, first);
}

static inline void plain_store_remove(void *queue, struct hrli_queue_node *node)
{
    hrli_sorted_list_remove(queue, node);
}

#endif
