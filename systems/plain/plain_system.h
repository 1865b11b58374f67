/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_SYSTEM_H
#define PLAIN_SYSTEM_H

#include "cell_releaser.h"
#include "dispatch.h"
#include "handler.h"
#include "hrlp_line.h"
#include "nanoseconds.h"
#include "plain_board.h"
#include "run_time.h"
#include "system.h"
#include PLAIN_STORE_HEADER
#if HRL_BASIC_TASKS /* as it has handlers, and asks for the application's lines */
#include "plain_lines.h"
#else
#define PLAIN_PREPARE_LINES
#endif

/*
 * The system of an application that is built without the tool: no periodic threads; sleeps and
 * time-outs on one cell, over the store that the application chose; time slices by the timing model
 * that it chose (timing/).
 *
 * A board's file names cells of its board.toml and includes this: PLAIN_TIME for sleeps and
 * time-outs, PLAIN_SLICES for slices that have a cell of their own (timing/one_plus_n.h). What
 * board.toml says of them is in plain_board.h, which the build makes (cmake/plain_board.cmake).
 */
#define PLAIN_OF(what, cell) PLAIN_OF_CELL(what, cell)
#define PLAIN_OF_CELL(what, cell) PLAIN_##what##_##cell
#define PLAIN_TIME_VERB PLAIN_OF(VERB, PLAIN_TIME)
#define PLAIN_TIME_CHANNEL PLAIN_OF(CHANNEL, PLAIN_TIME)
#define PLAIN_CALL(macro, ...) macro(__VA_ARGS__) /* of arguments that are macros */

#ifndef PLAIN_ARM /* another verb, if the driver has one for a cell that is armed in no other way */
#define PLAIN_ARM arm
#endif
#ifndef PLAIN_PREPARE /* with what a board does besides */
#define PLAIN_PREPARE(prepare) prepare
#endif
#ifndef PLAIN_LOWEST_PRIORITY /* of a handler that need not come between the kernel's steps */
#define PLAIN_LOWEST_PRIORITY HRLP_IRQ_OF_DISPATCH
#endif
#ifndef PLAIN_IDLE_STACK /* in bytes; HRL_PLAIN_FLAGS may say more, for hrl_idle_hook */
#define PLAIN_IDLE_STACK 256
#endif

static void plain_arm(hrl_stamp due)
{
    PLAIN_CALL(PLAIN_TIME_VERB, PLAIN_ARM)(PLAIN_TIME_CHANNEL, due);
}

PLAIN_CALL(HRLI_QUEUE_STORE, PLAIN_STORE)
PLAIN_CALL(HRLI_TIMEOUT_STORE, PLAIN_STORE)
PLAIN_CALL(HRLI_QUEUE, store_0, PLAIN_STORE, 0, PLAIN_SLOTS, PLAIN_SLOT_BITS)

/* Basic tasks may interrupt a handler, and call the kernel; the models count on the contrary. */
#define PLAIN_LOCKED(...)                                                                          \
    {                                                                                              \
        const bool locks = HRL_BASIC_TASKS && HRLP_LINE_CONTROLLER;                                \
        hrlp_irq_state state = locks ? hrlp_irq_lock() : HRLP_IRQ_UNLOCKED;                        \
                                                                                                   \
        __VA_ARGS__                                                                                \
        if (locks) {                                                                               \
            hrlp_irq_unlock(state);                                                                \
        }                                                                                          \
    }

static void plain_serve(struct hrli_releaser *releaser);
static const struct hrli_releaser_calls plain_calls = {NULL, NULL, NULL, plain_serve, NULL};

/* The releaser of all models but the tick: one-shot over cell_0, which the model defines first. */
#define PLAIN_ONE_SHOT                                                                             \
    static struct hrli_releaser plain_releaser;                                                    \
    HRLI_TIMEOUT_PARTS(0, &plain_releaser, (uint32_t)1 << 31)                                      \
    static void plain_serve(struct hrli_releaser *releaser)                                        \
    {                                                                                              \
        (void)releaser;                                                                            \
        hrli_one_shot_nodes_serve(&parts_0);                                                       \
    }                                                                                              \
    HRLI_TIMEOUT_PUT(0)                                                                            \
    PLAIN_CALL(HRLI_TIMEOUT_CALLS, 0, PLAIN_STORE, &plain_releaser)

#include PLAIN_TIMING_HEADER

static inline void plain_timing_leave(void)
{
    PLAIN_LEAVE
}

static inline void plain_leave(struct hrl_thread *thread)
{
    plain_timing_leave();
    if (HRL_RUN_TIME) {
        hrli_run_time_leave(thread);
    }
}

HRLI_DISPATCH_DEFINE(plain_leave, PLAIN_HAS_SLICES)
PLAIN_CALL(PLAIN_OF(HANDLERS, PLAIN_TIME), PLAIN_LOCKED(PLAIN_INTERRUPT) HRLI_DISPATCH)

static uint64_t plain_idle_stack[(PLAIN_IDLE_STACK + HRLP_GUARD_MORE) / 8];
static struct hrl_thread plain_idle;

/* Here, as what data begin with takes ROM. */
void hrl_gen_prepare(void)
{
    plain_releaser.calls = &plain_calls;
    plain_idle.name = "idle";
    plain_idle.stack = plain_idle_stack;
    plain_idle.stack_bytes = sizeof plain_idle_stack;
    PLAIN_PREPARE_LINES
    store_0_init();
    PLAIN_PREPARE(PLAIN_TIME_VERB(prepare)(PLAIN_TIME_CHANNEL, PLAIN_TIME_PRIORITY);)
}

static void plain_prepare(const struct hrli_system *system)
{
    (void)system;
}

static void plain_start(const struct hrli_system *system)
{
    (void)system;
    PLAIN_START
}

static const struct hrli_enrolment plain_enrolment = {plain_prepare, plain_start};

const struct hrli_clock_rate hrl_gen_clock_rate = HRLI_CLOCK_RATE(PLAIN_CLOCK_HZ);
const struct hrli_system hrl_gen_system = {
    NULL,        0,         NULL,         0,
    &plain_idle, &timeouts, HRL_RUN_TIME, PLAIN_HAS_SLICES ? &plain_enrolment : NULL};

#endif
