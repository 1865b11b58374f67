/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_SYSTEM_H
#define PLAIN_SYSTEM_H

#include "dispatch.h"
#include "handler.h"
#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_line.h"
#include "nanoseconds.h"
#include PLAIN_STORE_HEADER
#include "run_time.h"
#include "store.h"
#include "system.h"
#include "wait.h"
#if HRL_BASIC_TASKS /* as it has handlers, and asks for the application's lines */
#include "plain_lines.h"
#endif

/*
 * The default system for applications that are built without the tool: no periodic threads; sleeps
 * and time-outs on one cell, over the store that the application chose; time slices by the timing
 * model that it chose.
 *
 * A board's file (mps2.c and so on) includes this and defines the plain_cell_* below, its driver's
 * verbs for one channel; its handler of that cell acknowledges and calls plain_time_interrupt. For
 * slices with a cell of their own it defines plain_slice_*, too (plain_cells.h, for
 * timing/one_plus_n).
 */
static inline void plain_cell_prepare(void);
static void plain_cell_arm(hrl_stamp due);

/* The store, PLAIN_STORE, of the header PLAIN_STORE_HEADER: horolog.cmake says which. */
#define PLAIN_STORE_DEFINE(queue)                                                                  \
    HRLI_QUEUE_STORE(queue)                                                                        \
    HRLI_QUEUE_STORE_OF(plain_store, queue, hrli_timeout_release)                                  \
    HRLI_QUEUE(plain_queue, queue, 0, PLAIN_SLOTS, PLAIN_SLOT_SHIFT)                               \
    static bool plain_insert(struct hrli_queue_node *node)                                         \
    {                                                                                              \
        return queue##_insert(&plain_queue, node);                                                 \
    }                                                                                              \
    static void plain_withdraw(struct hrli_queue_node *node)                                       \
    {                                                                                              \
        queue##_remove(&plain_queue, node);                                                        \
    }
#define PLAIN_STORE_OF(queue) PLAIN_STORE_DEFINE(queue) /* as the queue's name is a macro */
PLAIN_STORE_OF(PLAIN_STORE)

/* What the model's releaser is asked for; there are no periodic threads. */
static void plain_serve(struct hrli_releaser *releaser);
static const struct hrli_releaser_calls plain_calls = {NULL, NULL, NULL, plain_serve};

/* Basic tasks may interrupt a handler, and call the kernel; the models count on the contrary. */
enum { PLAIN_LOCKS = HRL_BASIC_TASKS && HRLP_LINE_CONTROLLER };

#include "plain_timing.h"

static const struct hrli_timeouts plain_timeouts = {PLAIN_RELEASER, plain_put, plain_insert,
                                                    plain_withdraw};

/* What the cell's interrupt does, acknowledged. Context: its handler. */
static inline void plain_time_interrupt(void)
{
    hrlp_irq_state state = PLAIN_LOCKS ? hrlp_irq_lock() : HRLP_IRQ_UNLOCKED;

    plain_timing_interrupt();
    if (PLAIN_LOCKS) {
        hrlp_irq_unlock(state);
    }
    hrli_core_dispatch_after_interrupt();
}

static inline void plain_leave(struct hrl_thread *thread)
{
    plain_timing_leave();
    if (HRL_RUN_TIME) {
        hrli_run_time_leave(thread);
    }
}

HRLI_DISPATCH_DEFINE(plain_leave, PLAIN_HAS_SLICES)

#ifndef PLAIN_IDLE_STACK /* in bytes; HRL_PLAIN_FLAGS may say more, for hrl_idle_hook */
#define PLAIN_IDLE_STACK 256
#endif
static uint64_t plain_idle_stack[(PLAIN_IDLE_STACK + HRLP_GUARD_MORE) / 8];
static struct hrl_thread plain_idle;

/* Here, as what data begin with takes ROM. */
void hrl_gen_prepare(void)
{
    PLAIN_RELEASER->calls = &plain_calls;
    plain_idle.name = "idle";
    plain_idle.stack = plain_idle_stack;
    plain_idle.stack_bytes = sizeof plain_idle_stack;
#if HRL_BASIC_TASKS /* as there are lines to prepare */
    plain_lines_prepare();
#endif
    plain_queue_init();
    plain_cell_prepare();
}

static void plain_prepare(const struct hrli_system *system)
{
    (void)system;
}

static void plain_start(const struct hrli_system *system)
{
    (void)system;
    plain_timing_start();
}

static const struct hrli_enrolment plain_enrolment = {plain_prepare, plain_start};

const struct hrli_clock_rate hrl_gen_clock_rate = HRLI_CLOCK_RATE(PLAIN_CLOCK_HZ);
const struct hrli_system hrl_gen_system = {
    NULL,         0,
    NULL,         0,
    &plain_idle,  &plain_timeouts,
    HRL_RUN_TIME, PLAIN_TIMING_STARTS ? &plain_enrolment : NULL};

#endif
