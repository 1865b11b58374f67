/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ibex-cells and ibex-cells-small: sleeps and time-outs on the first timer cell, time slices that have
 * a cell of their own on the second.
 */
#include "hrlp_clock.h"
#include "hrlp_timer_cells.h"

enum { PLAIN_SLOT_SHIFT = 16 /* 1.3 ms */, TIME_CELL = 0, SLICE_CELL = 1 };
#define PLAIN_SLICE_HANDLER Cell_Handler1
#define PLAIN_LINES(LINE)                                                                          \
    LINE(1, 1, Software_Handler1)                                                                  \
    LINE(2, 2, Software_Handler2)                                                                  \
    LINE(3, 3, Software_Handler3)                                                                  \
    LINE(4, 4, Software_Handler4)                                                                  \
    LINE(5, 5, Software_Handler5)                                                                  \
    LINE(6, 6, Software_Handler6)                                                                  \
    LINE(7, 7, Software_Handler7)                                                                  \
    LINE(8, 8, Software_Handler8)

#include "plain_cells.h"
#include "plain_system.h"

PLAIN_TIME_CELL_PREPARE(hrlp_timer_cells, TIME_CELL)
PLAIN_TIME_CELL_ARM(hrlp_timer_cells, TIME_CELL, arm)
PLAIN_SLICE_CELL_DEFINE(hrlp_timer_cells, SLICE_CELL)

HRLI_HANDLER(Cell_Handler0, HRLI_ACKNOWLEDGE(hrlp_timer_cells, TIME_CELL) plain_time_interrupt();)
