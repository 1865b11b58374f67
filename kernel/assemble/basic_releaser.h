/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BASIC_RELEASER_H
#define HRLI_BASIC_RELEASER_H

#include "counted_table.h"
#include "direct.h"
#include "handler.h"
#include "hrlp_cell.h"
#include "hrlp_irq.h"
#include "line_table.h"
#include "queue_calls.h"
#include "short_table.h"

/*
 * A releaser of basic tasks becomes code. Releaser number `i` has a table, table_<i>, which is data
 * (line_table.h, direct.h), unless its interrupt is its task. The lines HRLI_SERVE_... stand in the
 * handler of its cell (handler.h), acknowledged. At file scope, without a semicolon.
 */

/*
 * Elements of parts_<i>, which say what a row or a group raises (line_table.h): the lines to raise,
 * the bits to set in the words of a line, and what the table's last row leads to.
 */
#define HRLI_RAISE(lines)                                                                          \
    {                                                                                              \
        NULL,                                                                                      \
        {                                                                                          \
            lines                                                                                  \
        }                                                                                          \
    }
#define HRLI_IN_WORDS(words, bits)                                                                 \
    {                                                                                              \
        words,                                                                                     \
        {                                                                                          \
            bits                                                                                   \
        }                                                                                          \
    }
#define HRLI_NEXT_ROW(i, row)                                                                      \
    {                                                                                              \
        NULL,                                                                                      \
        {                                                                                          \
            .next = &hrl_gen_rows_##i[row]                                                         \
        }                                                                                          \
    }

/* table_<i>, with its rows, hrl_gen_rows_<i>; `first` is its first instant. */
#define HRLI_LINE_TABLE_DECLARE(i) static struct hrli_line_table table_##i;
#define HRLI_LINE_ROWS_DECLARE(i) static HRLP_CONST struct hrli_line_row hrl_gen_rows_##i[];
#define HRLI_LINE_TABLE(i, first)                                                                  \
    static struct hrli_line_table table_##i = {hrl_gen_rows_##i, HRLI_LINE_TABLE_DUE(first)};

/* table_<i> of a releaser that runs its tasks itself (direct.h). */
#define HRLI_DIRECT_TABLE(i, first)                                                                \
    static struct hrli_direct_table table_##i = {                                                  \
        hrl_gen_rows_##i, HRLI_LINE_TABLE_DUE(first), {0u, 0u, 0u}};

/* The interrupt of channel `instance` of `device`, every `counts`, is the task `of`. */
#define HRLI_CELL_TASK(i, device, instance, counts, of)                                            \
    static void forget_##i(void)                                                                   \
    {                                                                                              \
        device##_forget(instance);                                                                 \
    }                                                                                              \
    static hrl_stamp hrl_gen_due_##i;                                                              \
    static const struct hrli_direct direct_##i = {&hrl_gen_due_##i, counts, of, forget_##i};

#define HRLI_SERVE_CELL_TASK(i, body) hrli_direct_interrupt(&direct_##i, body);

/* A handler that is the dispatch of line `line`; `cycle` is the row behind the last (direct.h). */
#define HRLI_SERVE_DIRECT(i, cycle, line, shared, ahead)                                           \
    hrli_direct_table_interrupt(&table_##i, &hrl_gen_rows_##i[cycle], bodies_##line, shared, ahead);

/*
 * A handler that raises lines; the arguments are those of hrli_line_table_interrupt. HRLI_ARM_NEXT: a one-shot cell is
 * armed for its table's next instant.
 */
#if HRLP_CPU_IS_NARROW /* as in short_table.h */
#define HRLI_SERVE_LINES(i, alone, shared, ahead)                                                  \
    if (hrli_short_table(ahead)) {                                                                 \
        hrli_short_table_interrupt(&table_##i, alone, ahead);                                      \
    } else {                                                                                       \
        hrli_line_table_interrupt(&table_##i, alone, shared, ahead);                               \
    }
#define HRLI_ARM_NEXT(i, device, instance, ahead)                                                  \
    if (hrli_short_table(ahead)) {                                                                 \
        hrli_short_table_arm(&table_##i, arm_near_##i, arm_##i);                                   \
    } else {                                                                                       \
        HRLI_ARM_NEXT_OF(i, device, instance)                                                      \
    }
#define HRLI_ARM_NEXT_BY(i, device, instance)                                                      \
    HRLI_ASSEMBLED_INLINE void arm_near_##i(uint16_t now, uint16_t left)                           \
    {                                                                                              \
        device##_arm_near(instance, now, left);                                                    \
    }                                                                                              \
    static void arm_##i(hrl_stamp due)                                                             \
    {                                                                                              \
        device##_arm(instance, due);                                                               \
    }
#else
#define HRLI_SERVE_LINES(i, alone, shared, ahead)                                                  \
    hrli_line_table_interrupt(&table_##i, alone, shared, ahead);
#define HRLI_ARM_NEXT(i, device, instance, ahead) HRLI_ARM_NEXT_OF(i, device, instance)
#define HRLI_ARM_NEXT_BY(i, device, instance)
#endif
#define HRLI_ARM_NEXT_OF(i, device, instance)                                                      \
    {                                                                                              \
        hrlp_irq_state state =                                                                     \
            hrlp_irq_lock(); /* more urgent interrupts would come between clock and cell */        \
                                                                                                   \
        device##_arm(instance, table_##i.due + HRLP_CELL_EARLY_COUNTS);                            \
        hrlp_irq_unlock(state);                                                                    \
    }

/*
 * A periodic cell with a handler `name` that counts interrupts (counted_table.h): every `whole` counts, or where the
 * names have PARTS every `whole` + `part` / `of`, of which `begin` have accumulated at the first. `device` has
 * <device>_COUNTING_ENTRY, and <device>_PARTS_ENTRY. Then one of:
 *
 *     HRLI_COUNTED_TABLE  rows from interrupt `first` on, and lines of one task `alone`
 *     HRLI_COUNTED_TASK   one task, from interrupt `first` on, every `gap`, with a line of its own and a handler of that
 *
 * At file scope, without a semicolon.
 */
#define HRLI_COUNTED_CELL(name, i, device, instance, whole)                                        \
    static bool is_late_##i(void)                                                                  \
    {                                                                                              \
        return device##_is_behind(instance, whole);                                                \
    }                                                                                              \
    static void advance_##i(void)                                                                  \
    {                                                                                              \
        device##_advance(instance, whole);                                                         \
    }                                                                                              \
    device##_COUNTING_ENTRY(name, name, name##_late, instance, whole, counted_##i.left, 1)
#define HRLI_COUNTED_PARTS_CELL(name, i, device, instance, whole, part, of, begin)                 \
    static uint16_t cell_##i##_parts = (of)-1u - (begin);                                          \
    static bool is_late_##i(void)                                                                  \
    {                                                                                              \
        return device##_is_behind(instance, (whole) + 1u);                                         \
    }                                                                                              \
    static void advance_##i(void)                                                                  \
    {                                                                                              \
        bool longer = cell_##i##_parts < (part);                                                   \
                                                                                                   \
        cell_##i##_parts = (uint16_t)(cell_##i##_parts - (part) + (longer ? (of) : 0u));           \
        device##_advance(instance, (uint16_t)((whole) + longer));                                  \
    }                                                                                              \
    device##_PARTS_ENTRY(name, name, name##_late, instance, whole, counted_##i.left, 1,            \
                         cell_##i##_parts, part, of)
#define HRLI_COUNTED_TABLE(name, i, first, alone, ...)                                             \
    static struct hrli_counted_table counted_##i = {hrl_gen_rows_##i, first};                      \
    HRLI_COUNTED(name, i, hrli_counted_table_serve(&counted_##i, alone),                           \
                 hrli_counted_table_serve(&counted_##i, alone), __VA_ARGS__)
#define HRLI_COUNTED_TASK(name, i, first, gap, line, handler, ...)                                 \
    static struct hrli_counted_task counted_##i = {first};                                         \
    volatile uint8_t                                                                               \
        hrl_gen_served_##i; /* stored to at each release, for what watches the board */            \
    HRLI_COUNTED(name, i, hrl_gen_served_##i = 0;                                                  \
                 hrli_counted_task_serve(&counted_##i, gap, line, handler),                        \
                 hrl_gen_served_##i = 0;                                                           \
                 hrli_counted_task_raise(&counted_##i, gap, line), __VA_ARGS__)
/* The handler, and what serves each instant of the cell that has passed. */
#define HRLI_COUNTED(name, i, serve, serve_late, ...)                                              \
    __VA_ARGS__                                                                                    \
    void name(void);                                                                               \
    void name##_late(void);                                                                        \
    __attribute__((used)) void name(void)                                                          \
    {                                                                                              \
        serve;                                                                                     \
    }                                                                                              \
    __attribute__((used)) void name##_late(void)                                                   \
    {                                                                                              \
        for (;;) {                                                                                 \
            if ((int16_t)counted_##i.left < 0) {                                                   \
                serve_late;                                                                        \
            }                                                                                      \
            if (!is_late_##i()) {                                                                  \
                return;                                                                            \
            }                                                                                      \
            advance_##i();                                                                         \
            counted_##i.left--;                                                                    \
        }                                                                                          \
    }

#endif
