/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_ONE_SHOT_H
#define PLAIN_ONE_SHOT_H

#include "one_shot_nodes.h"

/*
 * The releaser of all timing models but the tick: one-shot over plain_time_cell, which the model
 * defines before it includes this.
 */
static struct hrli_releaser plain_releaser;
#define PLAIN_RELEASER (&plain_releaser)

static const struct hrli_one_shot_parts plain_parts = {&plain_releaser, &plain_queue, &plain_store,
                                                       &plain_time_cell, (uint32_t)1 << 31};

static void plain_serve(struct hrli_releaser *releaser)
{
    (void)releaser;
    hrli_one_shot_nodes_serve(&plain_parts);
}

static void plain_put(struct hrli_queue_node *node)
{
    hrli_one_shot_nodes_put(&plain_parts, node);
}

/* Context: the cell's handler. */
static inline void plain_serve_interrupt(void)
{
    hrli_one_shot_nodes_interrupt(&plain_parts);
}

#endif
