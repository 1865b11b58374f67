/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DISPATCHER_CELL_H
#define HRLI_DISPATCHER_CELL_H

#include "basic_releaser.h"
#include "dispatcher.h"
#include "releaser.h"

/*
 * The dispatcher of a table becomes code (kernel/table/dispatcher.h). It is releaser number `i`; the rows
 * are hrl_gen_rows_<i>, those of all modes. At file scope, without a semicolon:
 *
 *     HRLI_DISPATCHER_MODE(0, cruise, 0u, 3u, 0u, 250000u, 1000u, NULL)
 *     HRLI_DISPATCHER(0, hrlp_cmsdk_timer, 0u, 0x80000000u, cruise, NULL, 0u, true, HRLI_WITHOUT_GLOBAL_TIME)
 *
 * Of a mode: its first row and the one behind its last, then what struct hrl_dispatcher_mode says from `lead`
 * on.
 */
#define HRLI_DISPATCHER_MODE(i, mode, first, behind, lead, round, rest, deadlines)                 \
    extern const struct hrl_dispatcher_mode mode_##mode;                                           \
    const struct hrl_dispatcher_mode mode_##mode = {                                               \
        HRLI_TEXT(#mode), &hrl_gen_rows_##i[first], &hrl_gen_rows_##i[behind], lead, round, rest,  \
        deadlines};

/*
 * On channel `instance` of `device`, which is armed for at most `reach` counts; `initial` is the mode that it
 * has first. The rest is what struct hrli_dispatcher_kind says.
 */
#define HRLI_DISPATCHER(i, device, instance, reach, initial, deadlines, alone, shared, ...)        \
    static void arm_dispatcher(hrl_stamp due)                                                      \
    {                                                                                              \
        device##_arm(instance, hrli_releaser_hop(due, reach));                                     \
    }                                                                                              \
    static void disarm_dispatcher(void)                                                            \
    {                                                                                              \
        device##_disarm(instance);                                                                 \
    }                                                                                              \
    static const struct hrli_dispatcher_kind dispatcher_kind = {                                   \
        arm_dispatcher, disarm_dispatcher, deadlines, alone, shared, __VA_ARGS__};                 \
    struct hrli_dispatcher hrl_gen_dispatcher = {                                                  \
        .kind = &dispatcher_kind, .mode = &mode_##initial, .asked = &mode_##initial};

/* `is_explicit`, the precision, maximum retard and advance, what an advance leaves, and `is_implicit`. */
#define HRLI_WITHOUT_GLOBAL_TIME false, 0u, 0u, 0u, 0u, false
#define HRLI_CLOCK_IS_GLOBAL_TIME false, 0u, 0u, 0u, 0u, true

/* In the handler of the cell, acknowledged. */
#define HRLI_SERVE_DISPATCHER hrli_dispatcher_interrupt(&hrl_gen_dispatcher);

/* In start-up code, after the clock has started: the first round begins at `begin`. */
#define HRLI_START_DISPATCHER(begin)                                                               \
    hrl_gen_dispatcher.is_first = true;                                                            \
    hrli_dispatcher_begin(&hrl_gen_dispatcher, begin);                                             \
    arm_dispatcher(hrl_gen_dispatcher.due + HRLP_CELL_EARLY_COUNTS);

#endif
