/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_SYSTEM_H
#define PLAIN_SYSTEM_H

#include "core.h"
#include "hrlp_clock.h"
#include "one_shot.h"
#include "plain_store.h"
#include "system.h"
#include "wait.h"

/*
 * The default system for applications that are built without the tool: no periodic threads; sleeps and
 * time-outs on one cell, one-shot over the store that the application chose.
 *
 * A board's file (mps2.c and so on) defines the plain_cell_* below, which are its driver's verbs for one channel, and
 * includes this; its handler of that cell acknowledges and calls plain_time_interrupt.
 */
static inline void plain_cell_prepare(void);
static void plain_cell_arm(hrl_stamp due);
static void plain_cell_disarm(void);

static const struct hrli_store plain_store = {plain_store_insert, plain_store_first,
                                              plain_store_pop, plain_store_remove,
                                              hrli_timeout_release};
static const struct hrlp_cell plain_cell = {NULL, plain_cell_arm,
                                            plain_cell_disarm}; /* never periodic */

static void plain_enrol(struct hrli_releaser *releaser, struct hrli_waiter *waiter)
{
    (void)releaser;
    (void)waiter; /* there are no periodic threads */
}

static bool plain_hold(struct hrli_releaser *releaser, struct hrli_waiter *waiter)
{
    (void)releaser;
    (void)waiter;
    return false;
}

static void plain_start(struct hrli_releaser *releaser)
{
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
    .base = {.next = (hrl_stamp)1 << 30, .cell = &plain_cell, .calls = &plain_calls},
    .span = (uint32_t)1 << 31,
};

static bool plain_put(struct hrli_queue_node *node)
{
    return hrli_one_shot_put(&plain_releaser, node, &plain_queue, &plain_store);
}

static void plain_withdraw(struct hrli_queue_node *node)
{
    plain_store_remove(&plain_queue, node);
}

static const struct hrli_timeouts plain_timeouts = {&plain_releaser.base, plain_put,
                                                    plain_withdraw};

/* What the cell's interrupt does, acknowledged. Context: its handler. */
static inline void plain_time_interrupt(void)
{
    hrli_one_shot_interrupt(&plain_releaser, &plain_queue, &plain_store);
    hrli_core_dispatch_after_interrupt();
}

void hrl_gen_prepare(void)
{
    plain_store_prepare();
    plain_cell_prepare();
}

static uint64_t plain_idle_stack[32];
static struct hrl_thread plain_idle = {
    .name = "idle", .stack = plain_idle_stack, .stack_bytes = sizeof plain_idle_stack};
static struct hrli_releaser *const plain_releasers[] = {&plain_releaser.base};

const struct hrli_system hrl_gen_system = {NULL, 0,           plain_releasers,
                                           1,    &plain_idle, &plain_timeouts};

#endif
