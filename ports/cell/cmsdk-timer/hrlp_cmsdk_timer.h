/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CMSDK_TIMER_H
#define HRLP_CMSDK_TIMER_H

#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include <stdbool.h>

/*
 * Arm CMSDK APB timer: a down-counter of 32 bits (Arm DDI 0479, 3.5).
 *
 * It interrupts on reaching 0 and reloads one count later: the period is reload + 1. With reload 0
 * it stays at 0.
 */
struct hrlp_cmsdk_timer {
    volatile uint32_t control;
    volatile uint32_t value;
    volatile uint32_t reload; /* writing sets the counter too */
    volatile uint32_t interrupt;
};

#define HRLP_CMSDK_TIMER(channel) ((struct hrlp_cmsdk_timer *)(0x40000000u + 0x1000u * (channel)))
#define HRLP_CMSDK_TIMER_LINE(channel) (8 + (int)(channel))

/*
 * From reading the clock to the counter's first count, in counts, in each of the functions below:
 * measured, held to the clock by tests/system/test_interrupts.py. No cell may be early by more than
 * HRLP_CELL_EARLY_COUNTS.
 */
#define HRLP_CMSDK_TIMER_START_LATENCY 4u
#define HRLP_CMSDK_TIMER_ARM_LATENCY 8u
#define HRLP_CMSDK_TIMER_MOVE_LATENCY 5u
#define HRLP_CMSDK_TIMER_SHORTEST 1

/*
 * How late. The handler enters within a count of the instant that the cell was given, and an instruction, if nothing
 * masks it and the instant is not near; within LATE_COUNTS if it is near, or past: a count behind ARM_LATENCY, and two
 * for the rounding of both.
 */
#define HRLP_CMSDK_TIMER_LATE_COUNTS 11u

/* More than moving it takes, in counts, and less than an interrupt. */
#define HRLP_CMSDK_TIMER_MOVE_COUNTS 16u

enum { HRLP_CMSDK_TIMER_ENABLE = 1u << 0, HRLP_CMSDK_TIMER_INTERRUPT = 1u << 3 };

static inline void hrlp_cmsdk_timer_prepare(unsigned channel, unsigned priority)
{
    hrlp_irq_enable_at(HRLP_CMSDK_TIMER_LINE(channel), priority);
}

static inline void hrlp_cmsdk_timer_prepare_at(unsigned channel, unsigned level)
{
    hrlp_line_enable(HRLP_CMSDK_TIMER_LINE(channel), level);
}

static inline void hrlp_cmsdk_timer_acknowledge(unsigned channel)
{
    HRLP_CMSDK_TIMER(channel)->interrupt = 1;
}

static inline void hrlp_cmsdk_timer_forget(unsigned channel)
{
    HRLP_CMSDK_TIMER(channel)->interrupt = 1;
    hrlp_irq_clear(HRLP_CMSDK_TIMER_LINE(channel));
}

static inline void hrlp_cmsdk_timer_start_periodic(unsigned channel, hrl_stamp first,
                                                   uint32_t period)
{
    struct hrlp_cmsdk_timer *timer = HRLP_CMSDK_TIMER(channel);

    timer->control = 0;
    timer->reload = period - 1u;
    timer->value = first - hrlp_clock_read() - HRLP_CMSDK_TIMER_START_LATENCY;
    timer->control = HRLP_CMSDK_TIMER_ENABLE | HRLP_CMSDK_TIMER_INTERRUPT;
}

static inline void hrlp_cmsdk_timer_disarm(unsigned channel)
{
    HRLP_CMSDK_TIMER(channel)->control = 0;
}

static inline void hrlp_cmsdk_timer_halt(unsigned channel)
{
    HRLP_CMSDK_TIMER(channel)->control = 0;
    hrlp_cmsdk_timer_forget(channel);
}

static inline void hrlp_cmsdk_timer_set(unsigned channel, uint32_t left)
{
    HRLP_CMSDK_TIMER(channel)->value = left;
    HRLP_CMSDK_TIMER(channel)->control = HRLP_CMSDK_TIMER_ENABLE | HRLP_CMSDK_TIMER_INTERRUPT;
}

HRLP_CELL_ARM_COUNTER(hrlp_cmsdk_timer, HRLP_CMSDK_TIMER_ARM_LATENCY, HRLP_CMSDK_TIMER_SHORTEST)

/*
 * For a cell that is armed in no other way, if its owner accepts an interrupt without a due task:
 * hrlp_cell.arm, but what an earlier arming raised interrupts all the same. Without reload the
 * counter stays at 0 until it is set anew, so that it can be left running. `run` once, before; it
 * begins far from 0, as a counter that starts there is no timer.
 */
static inline void hrlp_cmsdk_timer_run(unsigned channel)
{
    HRLP_CMSDK_TIMER(channel)->value = UINT32_MAX;
    HRLP_CMSDK_TIMER(channel)->control = HRLP_CMSDK_TIMER_ENABLE | HRLP_CMSDK_TIMER_INTERRUPT;
}

static inline void hrlp_cmsdk_timer_move(unsigned channel, hrl_stamp due)
{
    HRLP_CMSDK_TIMER(channel)->value = hrlp_cell_counts_from_0(
        hrlp_cell_left(due, HRLP_CMSDK_TIMER_MOVE_LATENCY), HRLP_CMSDK_TIMER_SHORTEST);
}

/*
 * Writing the reload value would set the counter, too: it stays, and for a longer interval the counter is
 * set to what is left. If an interrupt above the kernel came in, which no lock keeps out, it is set again:
 * this interval would end late, and all that follow.
 */
static inline void hrlp_cmsdk_timer_put_off(unsigned channel, hrl_stamp due)
{
    hrl_stamp before;

    do {
        before = hrlp_clock_read();
        hrlp_cmsdk_timer_move(channel, due);
    } while (hrlp_clock_read() - before > HRLP_CMSDK_TIMER_MOVE_COUNTS);
}

HRLP_CELL_STRETCH_BY_PUTTING_OFF(hrlp_cmsdk_timer)

enum { hrlp_cmsdk_timer_rearm_is_short = true };

/* It has counted to 0, where it has stayed since, so that nothing is pending. */
static inline void hrlp_cmsdk_timer_rearm(unsigned channel, hrl_stamp due)
{
    hrlp_cmsdk_timer_move(channel, due);
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_cmsdk_timer)

#endif
