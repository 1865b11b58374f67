/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_ONE_SHOT_H
#define PLAIN_ONE_SHOT_H

#include "one_shot.h"

/*
 * The releaser of all timing models but the tick: one-shot over plain_time_cell, which the model defines before it
 * includes this, and plain_timing_start, which is called when the cell may be armed.
 */
static void plain_start(struct hrli_releaser *releaser)
{
    plain_timing_start();
    hrli_one_shot_start((struct hrli_one_shot *)releaser, &plain_queue, &plain_store);
}

static void plain_serve(struct hrli_releaser *releaser)
{
    hrli_one_shot_serve((struct hrli_one_shot *)releaser, &plain_queue, &plain_store);
}

static const struct hrli_releaser_calls plain_calls = {plain_enrol, plain_start, plain_hold,
                                                       plain_serve};

/* `next` is where hrl_start wants the first instant to lie: ahead. */
static struct hrli_one_shot plain_releaser = {
    .base = {.next = (hrl_stamp)1 << 30, .cell = &plain_time_cell, .calls = &plain_calls},
    .span = (uint32_t)1 << 31,
};

static bool plain_put(struct hrli_queue_node *node)
{
    return hrli_one_shot_put(&plain_releaser, node, &plain_queue, &plain_store);
}

static bool plain_insert(struct hrli_queue_node *node)
{
    return hrli_one_shot_insert(&plain_releaser, node, &plain_queue, &plain_store);
}

/* Context: the cell's handler. */
static inline void plain_serve_interrupt(void)
{
    hrli_one_shot_interrupt(&plain_releaser, &plain_queue, &plain_store);
}

#endif
