/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BASIC_STORE_H
#define HRLI_BASIC_STORE_H

#include "line_chains.h"
#include "line_groups.h"
#include "line_queue.h"
#include "one_shot.h"
#include "store.h"

/*
 * A releaser of basic tasks over a store of groups becomes code (line_group.h). Releaser number `i`
 * has its groups, groups_<i>, which are data, and HRLI_LINE_GROUPS says what they have in common. A
 * delay queue holds them in store_<i>. A queue that also releases threads has its calls already
 * (store.h), and needs no HRLI_QUEUE_CALLS. At file scope, without a semicolon:
 *
 *     HRLI_QUEUE_CALLS(sorted_list) HRLI_LINE_QUEUE(sorted_list)
 *     HRLI_LINE_GROUPS(0, 0x3000000u, 0x20000u, false, false, false, false)
 *     HRLI_QUEUE(store_0, sorted_list, 5u, 128u, 15u)
 *
 * The handler of the cell (handler.h) serves it, then arms a one-shot cell:
 *
 *     HRLI_SERVE_LINE_QUEUE(0, sorted_list) HRLI_ARM_NEXT_GROUP(0, hrlp_cmsdk_timer, 0u, 0x80000000u)
 */

/*
 * An element of groups_<i>: `first` is the first instant, `from_end` whether a sorted list inserts it
 * from its end; the rest are a struct hrli_period, the lines to raise and their parts.
 */
#define HRLI_LINE_GROUP(first, from_end, whole, hops, part, of, begin, lines, list)                \
    {                                                                                              \
        .node = {.key = HRLI_LINE_TABLE_DUE(first), .spare = {from_end}},                          \
        .period = {whole, hops, part, of, begin}, .raise = (lines), .parts = (list)                \
    }

#define HRLI_LINE_QUEUE(queue)                                                                     \
    static const struct hrli_line_queue queue##_lines = {queue##_first, queue##_put_off};

/* What struct hrli_line_groups_kind says, in its order; an observer sees hrl_gen_served_<i>. */
#define HRLI_LINE_GROUPS(i, alone, ahead, has_parts, is_shared, has_fractions, has_hops)           \
    hrl_stamp hrl_gen_served_##i;                                                                  \
    static const struct hrli_line_groups_kind kind_##i = {alone,     ahead,         has_parts,     \
                                                          is_shared, has_fractions, has_hops};

#define HRLI_SERVE_LINE_QUEUE(i, queue)                                                            \
    hrl_stamp next_##i =                                                                           \
        hrli_line_queue_interrupt(&store_##i, &queue##_lines, &hrl_gen_served_##i, &kind_##i);     \
    (void)next_##i;

/* The store of groups_<i>, an array; `first` is the first instant. */
#define HRLI_LINE_GROUP_ARRAY(i, first)                                                            \
    static hrl_stamp due_##i = HRLI_LINE_TABLE_DUE(first);                                         \
    static const struct hrli_line_groups store_##i = {                                             \
        groups_##i, sizeof groups_##i / sizeof groups_##i[0], &due_##i};

#define HRLI_SERVE_LINE_GROUPS(i)                                                                  \
    hrl_stamp next_##i = hrli_line_groups_interrupt(&store_##i, &hrl_gen_served_##i, &kind_##i);   \
    (void)next_##i;

/* The store of chains_<i>; instants come every `counts` from `first` on. */
#define HRLI_LINE_CHAINS(i, first, counts)                                                         \
    static hrl_stamp due_##i = HRLI_LINE_TABLE_DUE(first);                                         \
    static const struct hrli_line_chains store_##i = {                                             \
        chains_##i, sizeof chains_##i / sizeof chains_##i[0], counts, &due_##i};

#define HRLI_SERVE_LINE_CHAINS(i)                                                                  \
    hrli_line_chains_interrupt(&store_##i, &hrl_gen_served_##i, &kind_##i);

/* A one-shot cell is armed for the next group, in hops of at most `reach` counts. */
#define HRLI_ARM_NEXT_GROUP(i, device, instance, reach)                                            \
    {                                                                                              \
        hrlp_irq_state state = hrlp_irq_lock(); /* as in HRLI_ARM_NEXT */                          \
                                                                                                   \
        device##_rearm(instance, hrli_releaser_hop(next_##i + HRLP_CELL_EARLY_COUNTS, reach));     \
        hrlp_irq_unlock(state);                                                                    \
    }

/* In start-up code, before the clock starts: all groups are put in. */
#define HRLI_PREPARE_LINE_QUEUE(i, queue)                                                          \
    store_##i##_init();                                                                            \
    for (uint32_t at = 0; at < sizeof groups_##i / sizeof groups_##i[0]; at++) {                   \
        (void)queue##_insert(&store_##i, &groups_##i[at].node);                                    \
    }

/* In start-up code, after the clock has started; `first` is the first instant. */
#define HRLI_START_ONE_SHOT_GROUPS(device, instance, first, reach)                                 \
    device##_arm(instance, hrli_releaser_hop(first, reach));

#endif
