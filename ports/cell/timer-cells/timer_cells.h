/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_TIMER_CELLS_REGISTERS_H
#define HRLP_TIMER_CELLS_REGISTERS_H

#include <stdint.h>

/*
 * The timer cells (docs/guide/timer-cells.md): a counter of 32 bits each, which counts the clock's
 * counts and fires when it steps onto `compare`.
 */
struct hrlp_timer_cell {
    volatile uint32_t count;
    volatile uint32_t compare;
    volatile uint32_t control;
    volatile uint32_t status; /* bit 0: fired; written: cleared */
};

#define HRLP_TIMER_CELLS_BASE 0x40000000u
#define HRLP_TIMER_CELL(channel)                                                                   \
    ((struct hrlp_timer_cell *)(HRLP_TIMER_CELLS_BASE + 16u * (channel)))
#define HRLP_TIMER_CELLS_COMPARE_AT(channel)                                                       \
    (0x40000004 + 16 * channel)                     /* for the assembler, too */
#define HRLP_TIMER_CELL_GROUP(group) ((group) << 8) /* counts while that control cell runs */

enum {
    HRLP_TIMER_CELL_COUNTS = 1u << 0,
    HRLP_TIMER_CELL_INTERRUPTS = 1u << 1,
    HRLP_TIMER_CELL_PERIODIC = 0u << 2, /* stepping onto `compare` is stepping to 0 */
    HRLP_TIMER_CELL_CONTINUOUS = 2u << 2,
    HRLP_TIMER_CELL_FIRED = 1u << 0,
    HRLP_TIMER_CELL_LOST = 1u << 1
};

/* With several cores: the core to which a cell's request goes. */
#define HRLP_TIMER_CELLS_SHARED 64u
#define HRLP_TIMER_CELLS_ROUTE(channel) (*(volatile uint32_t *)(0x40020000u + 4u * (channel)))

/* A group counts while this source, or a line's, is the most urgent that is served. */
#define HRLP_TIMER_CELLS_FOLLOW(group) (*(volatile uint32_t *)(0x40011180u + 4u * (group)))
#define HRLP_TIMER_CELLS_FOLLOWS (1u << 31)

/* The clock, MTIME; what MTIMECMP could raise is not used. */
#define HRLP_TIMER_CELLS_TIME ((volatile uint32_t *)0xFFFFFF20u)     /* low half, high half */
#define HRLP_TIMER_CELLS_RUN_SET (*(volatile uint32_t *)0xFFFFFF18u) /* of groups, a bit each */
#define HRLP_TIMER_CELLS_RUN_CLEAR (*(volatile uint32_t *)0xFFFFFF1Cu)
#define HRLP_TIMER_CELLS_CLEAR ((volatile uint32_t *)0x40011080u) /* pending lines, a bit each */
#define HRLP_TIMER_CELLS_SET_TIME ((volatile uint32_t *)0x0200BFF8u)

#endif
