/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SYSTICK_H
#define HRLP_SYSTICK_H

#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include <stdbool.h>

/*
 * Armv7-M SysTick: a down-counter of 24 bits (Armv7-M Architecture Reference Manual, B3.3).
 *
 * It becomes pending on going from 1 to 0 and reloads one count later: the period is reload + 1.
 * Writing the value clears it, and the reload value comes one count after.
 */
struct hrlp_systick {
    volatile uint32_t control;
    volatile uint32_t reload;
    volatile uint32_t value;
};

#define HRLP_SYSTICK ((struct hrlp_systick *)0xE000E010u)

/*
 * From reading the clock to the counter's first count, in counts, in each of the two functions
 * below: measured, held to the clock by tests/system/test_interrupts.py. No cell may be early by
 * more than HRLP_CELL_EARLY_COUNTS.
 */
#define HRLP_SYSTICK_START_LATENCY 4u
#define HRLP_SYSTICK_ARM_LATENCY 9u

/*
 * Counted down from less, it would reload before hrlp_systick_run has set the reload value to 0,
 * and interrupt twice.
 */
#define HRLP_SYSTICK_SHORTEST 8

/*
 * How late. The handler enters within a count of the instant that the cell was given, and an instruction, if nothing
 * masks it and the instant is not near; within LATE_COUNTS if it is near, or past: it is raised when the clock has been
 * read again, and once more, behind the instant.
 */
#define HRLP_SYSTICK_LATE_COUNTS 12u

#define HRLP_SYSTICK_LINE(channel) (-1) /* of its exceptions: there is one */

enum {
    HRLP_SYSTICK_ENABLE = 1u << 0,
    HRLP_SYSTICK_INTERRUPT = 1u << 1,
    HRLP_SYSTICK_PROCESSOR_CLOCK = 1u << 2,
    HRLP_SYSTICK_COUNTED_TO_0 = 1u << 16,
    HRLP_SYSTICK_ON = HRLP_SYSTICK_ENABLE | HRLP_SYSTICK_INTERRUPT | HRLP_SYSTICK_PROCESSOR_CLOCK
};

/* Taking the exception has cleared its cause already. */
static inline void hrlp_systick_acknowledge(unsigned channel)
{
    (void)channel;
}

static inline void hrlp_systick_prepare(unsigned channel, unsigned priority)
{
    (void)channel;
    hrlp_irq_enable_at(HRLP_SYSTICK_LINE(channel), priority);
}

static inline void hrlp_systick_prepare_at(unsigned channel, unsigned level)
{
    (void)channel;
    hrlp_line_enable(HRLP_SYSTICK_LINE(channel), level);
}

static inline void hrlp_systick_forget(unsigned channel)
{
    (void)channel;
    hrlp_irq_clear(HRLP_SYSTICK_LINE(channel));
}

/* Counts down from `from` to 0 once, and from `then` ever after; with 0 it stops there. */
static inline void hrlp_systick_run(uint32_t from, uint32_t then)
{
    HRLP_SYSTICK->reload = from;
    HRLP_SYSTICK->value = 0;
    HRLP_SYSTICK->control = HRLP_SYSTICK_ON;
    while (HRLP_SYSTICK->value == 0) { /* `from` is loaded a count after the write */
    }
    HRLP_SYSTICK->reload = then;
}

static inline void hrlp_systick_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    (void)channel;
    hrlp_systick_run(first - hrlp_clock_read() - 1u - HRLP_SYSTICK_START_LATENCY, period - 1u);
}

/* The reload value is of the next interval. */
static inline void hrlp_systick_set_period(unsigned channel, uint32_t counts)
{
    (void)channel;
    HRLP_SYSTICK->reload = counts - 1u;
}

HRLP_CELL_STRETCH_BY_PERIOD(hrlp_systick, true)

static inline void hrlp_systick_disarm(unsigned channel)
{
    (void)channel;
    HRLP_SYSTICK->control = HRLP_SYSTICK_PROCESSOR_CLOCK;
}

static inline void hrlp_systick_halt(unsigned channel)
{
    hrlp_systick_disarm(channel);
    hrlp_systick_forget(channel);
}

static inline void hrlp_systick_set(unsigned channel, uint32_t left)
{
    (void)channel;
    hrlp_systick_run(left - 1u, 0);
}

static inline void hrlp_systick_raise(unsigned channel)
{
    (void)channel;
    hrlp_irq_raise(HRLP_SYSTICK_LINE(channel));
}

HRLP_CELL_ARM_COUNTER_OR_RAISE(hrlp_systick, HRLP_SYSTICK_ARM_LATENCY, HRLP_SYSTICK_SHORTEST)
HRLP_CELL_REARM_IS_ARM(hrlp_systick)

/*
 * Writing the value clears it, and the flag that says that 0 was reached; the reload value comes a
 * count after.
 */
static inline void hrlp_systick_slice_restart(unsigned channel)
{
    (void)channel;
    HRLP_SYSTICK->value = 0;
}

static inline void hrlp_systick_slice_start(unsigned channel, uint32_t counts)
{
    HRLP_SYSTICK->reload = counts - 1u;
    hrlp_systick_slice_restart(channel);
    HRLP_SYSTICK->control = HRLP_SYSTICK_ON;
}

static inline bool hrlp_systick_slice_is_over(unsigned channel)
{
    (void)channel;
    return (HRLP_SYSTICK->control & HRLP_SYSTICK_COUNTED_TO_0) != 0; /* reading clears it */
}

static inline void hrlp_systick_slice_prolong(unsigned channel, uint32_t by, uint32_t counts)
{
    (void)channel;
    hrlp_systick_run(by - 1u, counts - 1u);
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_systick)

#endif
