/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_ONE_CELL_H
#define PLAIN_ONE_CELL_H

/* Wake-ups and slices on one cell, for unified.h and unified_ns.h, which say how slices are counted. */
enum { PLAIN_HAS_SLICES = 1, PLAIN_TIME_PRIORITY = HRL_INTERRUPT_KERNEL };
#define PLAIN_LEAVE                                                                                \
    PLAIN_UNIFIED(restart)(&plain_unified, PLAIN_UNIFIED_SLICE PLAIN_AND_CLOCK, plain_arm);
#define PLAIN_INTERRUPT                                                                            \
    PLAIN_UNIFIED(interrupt)                                                                       \
    (&plain_unified, PLAIN_UNIFIED_SLICE PLAIN_AND_CLOCK, plain_arm, plain_serve_interrupt);
#define PLAIN_START                                                                                \
    PLAIN_UNIFIED(begin)(&plain_unified, PLAIN_UNIFIED_SLICE PLAIN_AND_CLOCK);                     \
    plain_wake_never();

static void plain_wake_at(hrl_stamp due)
{
    PLAIN_UNIFIED(wake_at)(&plain_unified, due PLAIN_AND_CLOCK, plain_arm);
}

static void plain_wake_never(void)
{
    PLAIN_UNIFIED(wake_never)(&plain_unified PLAIN_AND_CLOCK, plain_arm);
}

static const struct hrlp_cell cell_0 = {NULL, plain_wake_at, plain_wake_never};
PLAIN_ONE_SHOT

static inline void plain_serve_interrupt(void)
{
    HRLI_SERVE_TIMEOUTS(0)
}

#endif
