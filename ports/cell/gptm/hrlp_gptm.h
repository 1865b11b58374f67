/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_GPTM_H
#define HRLP_GPTM_H

#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include <stdbool.h>

/*
 * General-purpose timers of Stellaris and Tiva chips (data sheets of the LM3S6965 and the TM4C123, chapter
 * "General-Purpose Timers"), their two halves as one down-counter of 32 bits: timer 0 to 3 is channel 0 to 3. They
 * count the system's clock, as SysTick does, which is the clock (ports/cell/systick-clock): their own count is not
 * read, as QEMU's reads as 0.
 *
 * An interval. The timer interrupts on reaching 0 and reloads in the next count, so that an interval of silicon is the
 * load register and 1 more. In QEMU's model (7.2 and 10.0) it is the load register alone. `reload_counts` of the
 * cells in board.toml says which; without it it is 1, silicon's.
 *
 * The load register. It is written while the timer counts, for the interval after the present one. Chips with the bit
 * TAILD (TM4C) take it so; QEMU's model does whatever the bit is. The LM3S6965 itself has no such bit: its counter goes
 * on from the new number at once, so that its cells in a board.toml for silicon are for one-shot mode only.
 *
 * How late. The handler enters within a count of the instant that the cell was given, and an instruction, if nothing
 * masks it and the instant is not near; within HRLP_GPTM_LATE_COUNTS if it is near. Of periodic cells that is so for
 * the first instant, and the others are in phase with it. Instructions are counted as QEMU does, 1.25 in a count;
 * silicon adds 12 cycles to enter a handler.
 *
 * All this was tested in QEMU's lm3s6965evb, none of it on silicon: neither the interval of load + 1, nor TAILD, nor
 * that three accesses pass between the clock gate and the timer's first register.
 */
struct hrlp_gptm {
    volatile uint32_t config;
    volatile uint32_t mode;
    volatile uint32_t mode_b;
    volatile uint32_t control;
    uint32_t reserved[2];
    volatile uint32_t mask;
    volatile uint32_t raw_status;
    volatile uint32_t masked_status;
    volatile uint32_t clear;
    volatile uint32_t load;
};

#ifndef HRL_BOARD_GPTM_RELOAD_COUNTS /* board.toml says nothing */
#define HRL_BOARD_GPTM_RELOAD_COUNTS 1
#endif

#define HRLP_GPTM(channel) ((struct hrlp_gptm *)(0x40030000u + 0x1000u * (channel)))
#define HRLP_GPTM_LINE(channel) ((channel) < 3u ? 19 + 2 * (int)(channel) : 35)
#define HRLP_GPTM_CLOCK_GATES (*(volatile uint32_t *)0x400FE104u) /* RCGC1 */

/*
 * From reading the clock to the counter's first count, in counts, in each of the functions below:
 * measured, held to the clock by tests/system/test_releases.py. No cell may be early by more than
 * HRLP_CELL_EARLY_COUNTS.
 */
#define HRLP_GPTM_START_LATENCY 14u
#define HRLP_GPTM_ARM_LATENCY 18u
#define HRLP_GPTM_SHORTEST 2      /* the least that leaves a load register of 1 */
#define HRLP_GPTM_LATE_COUNTS 22u /* ARM_LATENCY and SHORTEST, and 2 for the rounding of both */

enum {
    HRLP_GPTM_ONE_SHOT = 1u << 0,
    HRLP_GPTM_PERIODIC = 1u << 1,
    HRLP_GPTM_LOADS_AT_TIMEOUT = 1u << 8, /* TAILD */
    HRLP_GPTM_ENABLE = 1u << 0,
    HRLP_GPTM_TIMEOUT = 1u << 0
};

/* The clock gate, and then the timer as 32 bits. After the gate three accesses pass before the timer has its clock. */
static inline void hrlp_gptm_configure(unsigned channel)
{
    HRLP_GPTM_CLOCK_GATES |= 1u << (16u + channel);
    (void)HRLP_GPTM_CLOCK_GATES;
    (void)HRLP_GPTM_CLOCK_GATES;
    (void)HRLP_GPTM_CLOCK_GATES;
    HRLP_GPTM(channel)->control = 0;
    HRLP_GPTM(channel)->config = 0;
    HRLP_GPTM(channel)->mask = HRLP_GPTM_TIMEOUT;
}

static inline void hrlp_gptm_prepare(unsigned channel, unsigned priority)
{
    hrlp_gptm_configure(channel);
    hrlp_irq_enable_at(HRLP_GPTM_LINE(channel), priority);
}

static inline void hrlp_gptm_prepare_at(unsigned channel, unsigned level)
{
    hrlp_gptm_configure(channel);
    hrlp_line_enable(HRLP_GPTM_LINE(channel), level);
}

static inline void hrlp_gptm_acknowledge(unsigned channel)
{
    HRLP_GPTM(channel)->clear = HRLP_GPTM_TIMEOUT;
}

static inline void hrlp_gptm_forget(unsigned channel)
{
    HRLP_GPTM(channel)->clear = HRLP_GPTM_TIMEOUT;
    hrlp_irq_clear(HRLP_GPTM_LINE(channel));
}

/* The load register is of the next interval. */
static inline void hrlp_gptm_set_period(unsigned channel, uint32_t counts)
{
    HRLP_GPTM(channel)->load = counts - HRL_BOARD_GPTM_RELOAD_COUNTS;
}

HRLP_CELL_STRETCH_BY_PERIOD(hrlp_gptm, true)

/* Once in `first` counts, and every `then` ever after. */
static inline void hrlp_gptm_run(unsigned channel, uint32_t first, uint32_t then)
{
    HRLP_GPTM(channel)->load = first - HRL_BOARD_GPTM_RELOAD_COUNTS;
    HRLP_GPTM(channel)->control = HRLP_GPTM_ENABLE;
    hrlp_gptm_set_period(channel, then);
}

static inline void hrlp_gptm_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    HRLP_GPTM(channel)->control = 0;
    HRLP_GPTM(channel)->mode = HRLP_GPTM_PERIODIC | HRLP_GPTM_LOADS_AT_TIMEOUT;
    hrlp_gptm_run(channel, first - hrlp_clock_read() - HRLP_GPTM_START_LATENCY, period);
}

static inline void hrlp_gptm_disarm(unsigned channel)
{
    HRLP_GPTM(channel)->control = 0;
}

static inline void hrlp_gptm_halt(unsigned channel)
{
    HRLP_GPTM(channel)->control = 0;
    hrlp_gptm_forget(channel);
}

static inline void hrlp_gptm_set(unsigned channel, uint32_t left)
{
    HRLP_GPTM(channel)->mode = HRLP_GPTM_ONE_SHOT;
    HRLP_GPTM(channel)->load = left - HRL_BOARD_GPTM_RELOAD_COUNTS;
    HRLP_GPTM(channel)->control = HRLP_GPTM_ENABLE;
}

HRLP_CELL_ARM_COUNTER(hrlp_gptm, HRLP_GPTM_ARM_LATENCY, HRLP_GPTM_SHORTEST)
HRLP_CELL_REARM_IS_ARM(hrlp_gptm)

/* Enabling it loads the counter, from the register that has the slice. What was raised before is forgotten. */
static inline void hrlp_gptm_slice_restart(unsigned channel)
{
    hrlp_gptm_halt(channel);
    HRLP_GPTM(channel)->control = HRLP_GPTM_ENABLE;
}

static inline void hrlp_gptm_slice_start(unsigned channel, uint32_t counts)
{
    HRLP_GPTM(channel)->mode = HRLP_GPTM_PERIODIC | HRLP_GPTM_LOADS_AT_TIMEOUT;
    hrlp_gptm_set_period(channel, counts);
    hrlp_gptm_slice_restart(channel);
}

static inline bool hrlp_gptm_slice_is_over(unsigned channel)
{
    (void)channel;
    return true;
}

static inline void hrlp_gptm_slice_prolong(unsigned channel, uint32_t by, uint32_t counts)
{
    HRLP_GPTM(channel)->control = 0;
    hrlp_gptm_run(channel, by, counts);
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_gptm)

#endif
