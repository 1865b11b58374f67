/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_OFFSET_TABLES_H
#define HRLI_OFFSET_TABLES_H

#include "hrlp_cell.h"
#include "hrlp_irq.h"
#include "line_handler.h"
#include "offset_table.h"

/*
 * Tasks that are their cells' interrupts, with points that are not evenly spaced (offset_table.h). At file
 * scope, without a semicolon:
 *
 *     static const struct hrli_offset offsets_0[] = {
 *         HRLI_OFFSET(0, 25000u, 1),
 *         HRLI_OFFSET(0, 37500u, 0),
 *     };
 *     HRLI_OFFSET_CELL(0, hrlp_timer_cells, 3u, 1, &hrl_gen_basic[1])
 *
 * Task number `task` is the interrupt of channel `instance` of `device`, with line number `l`; its points
 * are in order, the first one first. HRLI_OFFSET has the counts to the next point, and the place of that.
 */
#define HRLI_OFFSET(task, counts, next)                                                            \
    {                                                                                              \
        counts, &offsets_##task[next]                                                              \
    }
#define HRLI_OFFSET_CELL(task, device, instance, l, basic)                                         \
    static const struct hrli_offset *volatile at_##task __attribute__((used)) = offsets_##task;    \
    static inline uint32_t compared_##task(void)                                                   \
    {                                                                                              \
        return device##_compare(instance);                                                         \
    }                                                                                              \
    static inline void compare_to_##task(uint32_t to)                                              \
    {                                                                                              \
        device##_set_compare(instance, to);                                                        \
    }                                                                                              \
    static inline int32_t to_compare_##task(void)                                                  \
    {                                                                                              \
        return device##_compare_ahead(instance);                                                   \
    }                                                                                              \
    static inline bool forget_##task(void)                                                         \
    {                                                                                              \
        return hrlp_line_overran(hrl_gen_line_##l.number);                                         \
    }                                                                                              \
    static const struct hrli_offset_cell offset_cell_##task = {                                    \
        basic, compared_##task, compare_to_##task, to_compare_##task, forget_##task};              \
    static __attribute__((noinline, used)) void passed_##task(void)                                \
    {                                                                                              \
        hrli_offset_pass(&at_##task, &offset_cell_##task);                                         \
    }

/* The entry of a handler that is such a task; `compare` as in HRLP_LINE_OFFSET_ENTRY. */
#if HRL_CHECKS /* as HRLI_ALONE_ENTRY */
#define HRLI_OFFSET_ENTRY(handler, task, body, frame, threads, compare)                            \
    HRLI_HANDLER(handler, HRLI_MOVE_OFFSET(task) HRLI_SERVE_ALONE(body))
#else
#define HRLI_OFFSET_ENTRY(handler, task, body, frame, threads, compare)                            \
    HRLP_LINE_OFFSET_ENTRY(handler, body, frame, threads, compare, at_##task, passed_##task);
#endif

/* In the handler of such a task, ahead of its body. */
#define HRLI_MOVE_OFFSET(task)                                                                     \
    {                                                                                              \
        hrlp_irq_state state = hrlp_irq_lock();                                                    \
        hrli_offset_move(&at_##task, &offset_cell_##task);                                         \
        if (to_compare_##task() <= 0) {                                                            \
            passed_##task();                                                                       \
        }                                                                                          \
        hrlp_irq_unlock(state);                                                                    \
    }

/* In the handler of overruns that the controller reports, of line `l` of such a task. */
#define HRLI_REPORT_OFFSET_OVERRUN(l, task, basic)                                                 \
    if (hrlp_line_overran(hrl_gen_line_##l.number)) {                                              \
        hrli_offset_overran(&at_##task, &offset_cell_##task);                                      \
        hrli_basic_overrun(basic);                                                                 \
    }

#endif
