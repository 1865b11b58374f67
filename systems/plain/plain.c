/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cores.h"
#include "dispatch.h"
#include "hrlp_line.h"
#include "nanoseconds.h"
#include "plain_board.h"
#include "run_time.h"
#include "system.h"
#define HRLI_TIMING_REACH PLAIN_REACH
#include "timing.h"
#include PLAIN_STORE_HEADER
#if HRL_BASIC_TASKS /* as it has handlers, and asks for the application's lines */
#include "plain_lines.h"
#else
#define PLAIN_PREPARE_LINES
#endif

/*
 * The system of an application that is built without the tool: no periodic threads; sleeps and
 * time-outs on one cell, over the store that the application chose; time slices by the timing model
 * that it chose (timing.h). What board.toml says is in plain_board.h (cmake/plain_board.cmake).
 */
#ifndef PLAIN_IDLE_STACK /* in bytes; HRL_PLAIN_FLAGS may say more, for hrl_idle_hook */
#define PLAIN_IDLE_STACK 256
#endif
#define PLAIN_CALL(macro, ...) macro(__VA_ARGS__) /* of arguments that are macros */
#define PLAIN_OF(what, model, ...) HRLI_##what##_##model(__VA_ARGS__)
#define PLAIN_MODEL(what)                                                                          \
    PLAIN_CALL(PLAIN_OF, what, PLAIN_TIMING, PLAIN_STORE, PLAIN_SLICE_COUNTS, PLAIN_CLOCK_HZ,      \
               PLAIN_TIME_CELL, PLAIN_SLICE_CELL)
/* The handler `name` of the first cell, by the timing model. */
#define PLAIN_CELL_HANDLER(name, ...)                                                              \
    PLAIN_CALL(PLAIN_OF, CELL_HANDLER, PLAIN_TIMING, PLAIN_STORE, PLAIN_SLICE_COUNTS,              \
               PLAIN_CLOCK_HZ, PLAIN_TIME_CELL, name, __VA_ARGS__)
/* The same where it shares the clock's. */
#define PLAIN_ACKNOWLEDGE(...) PLAIN_CALL(PLAIN_OF, ACKNOWLEDGE, PLAIN_TIMING, __VA_ARGS__)
#define PLAIN_PREPARE_CELL(device, instance) device##_prepare(instance, PLAIN_PRIORITY);

PLAIN_CALL(HRLI_ARM_CELL, PLAIN_TIME_CELL, PLAIN_ARM)
PLAIN_CALL(HRLI_QUEUE_STORE, PLAIN_STORE)
PLAIN_CALL(HRLI_TIMEOUT_STORE, PLAIN_STORE)
PLAIN_CALL(HRLI_QUEUE, store_0, PLAIN_STORE, 0, 0, 0)

static void serve_wake_ups(struct hrli_releaser *releaser);
static const struct hrli_releaser_calls plain_calls = {NULL, NULL, NULL, serve_wake_ups, NULL};
PLAIN_MODEL(TIMING)

static inline void timing_leave(void)
{
    PLAIN_MODEL(LEAVE)
}

static inline void plain_leave(struct hrl_thread *thread)
{
    timing_leave();
    if (HRL_RUN_TIME) {
        hrli_run_time_leave(thread);
    }
}

HRLI_DISPATCH_DEFINE(plain_leave, TIMING_HAS_SLICES)
PLAIN_TIME_HANDLERS(HRLI_LOCKED(PLAIN_MODEL(INTERRUPT)) HRLI_DISPATCH)

static uint64_t plain_idle_stack[(PLAIN_IDLE_STACK + HRLP_GUARD_MORE) / 8];
static struct hrl_thread plain_idle;

/* Here, as what data begin with takes ROM. */
void hrl_gen_prepare(void)
{
    wake_ups->calls = &plain_calls;
    plain_idle.name = HRLP_TEXT("idle");
    plain_idle.stack = plain_idle_stack;
    plain_idle.stack_bytes = sizeof plain_idle_stack;
    PLAIN_PREPARE_LINES
    store_0_init();
    PLAIN_CALL(PLAIN_PREPARE_CELL, PLAIN_TIME_CELL)
    PLAIN_BEGIN
}

static void plain_prepare(HRLP_CONST struct hrli_system *system)
{
    (void)system;
}

static void plain_start(HRLP_CONST struct hrli_system *system)
{
    (void)system;
    PLAIN_MODEL(START)
}

static HRLP_CONST struct hrli_enrolment plain_enrolment = {plain_prepare, plain_start};

HRLP_CONST struct hrli_clock_rate hrl_gen_clock_rate = HRLI_CLOCK_RATE(PLAIN_CLOCK_HZ);
HRLP_CONST struct hrli_system hrl_gen_system = {
    NULL,         0,
    NULL,         0,
    &plain_idle,  &timeouts,
    HRL_RUN_TIME, TIMING_HAS_SLICES ? &plain_enrolment : NULL HRLI_AND_PREPARE};
HRLI_SYSTEM_OF_ALL(hrl_gen_system)
