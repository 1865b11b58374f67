/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_STM32_TIM_H
#define HRLP_STM32_TIM_H

#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_difference.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include "stm32_tim.h"
#include <stdbool.h>

/*
 * From reading the clock to the counter's first count, in counts: of hrlp_difference_store, and of the function that
 * starts a periodic cell that has a prescaler until its first instant, for a clock of 32 bits and of 16. Measured in
 * the simulator, with timers that count the processor's cycles, and held to the clock by tests/system/test_releases.py.
 */
#define HRLP_STM32_TIM_LATENCY 3u
#define HRLP_STM32_TIM_FAR_LATENCY (HRLP_STM32_TIM_CLOCK_BITS == 32 ? 12u : 10u)

/* What is set behind the clock's reading is not missed if it is still to come then. */
#define HRLP_STM32_TIM_SHORTEST 1

/*
 * How late. The cell requests its interrupt at the count of the instant that it was given; one that is past when it is
 * armed within the 20 cycles of the instructions that find that. The handler enters 12 cycles later, and 16 more if an
 * instruction has to end before, or the floating-point registers are to be saved: counts, where timers count the
 * processor's cycles.
 */
#define HRLP_STM32_TIM_LATE_COUNTS 48u

static inline void hrlp_stm32_tim_prepare(unsigned channel, unsigned priority)
{
    hrlp_irq_enable_at(HRLP_STM32_TIM_LINE(channel), priority);
}

static inline void hrlp_stm32_tim_prepare_at(unsigned channel, unsigned level)
{
    hrlp_line_enable(HRLP_STM32_TIM_LINE(channel), level);
}

static inline bool hrlp_stm32_tim_fired(unsigned channel)
{
    uint32_t base = HRLP_STM32_TIM_BASE(channel);

    return (HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_SR) &
            HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_DIER) & HRLP_STM32_TIM_FLAG(channel)) != 0;
}

/* The clock's timer has one register for what may interrupt, and handlers at other levels change it, too. */
static inline void hrlp_stm32_tim_mute(unsigned channel)
{
    hrlp_irq_state state = hrlp_irq_lock();

    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_DIER) &=
        ~HRLP_STM32_TIM_FLAG(channel);
    hrlp_irq_unlock(state);
}

/* A comparison would fire anew after a turn of the counter. */
static inline void hrlp_stm32_tim_acknowledge(unsigned channel)
{
    if (HRLP_STM32_TIM_IS_COMPARE(channel)) {
        hrlp_stm32_tim_mute(channel);
    }
    hrlp_stm32_tim_clear(channel);
}

/* The line is up as long as a flag is, so what others on it have raised comes all the same. */
static inline void hrlp_stm32_tim_forget(unsigned channel)
{
    hrlp_stm32_tim_clear(channel);
    hrlp_irq_clear(HRLP_STM32_TIM_LINE(channel));
}

static inline void hrlp_stm32_tim_disarm(unsigned channel)
{
    if (HRLP_STM32_TIM_IS_COMPARE(channel)) {
        hrlp_stm32_tim_mute(channel);
    } else {
        HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_BASE(channel), HRLP_STM32_TIM_CR1) =
            HRLP_STM32_TIM_URS;
    }
}

/* A compare channel. What fires between the first two stores is near, or past. */
static inline void hrlp_stm32_tim_compare_halt(unsigned channel)
{
    hrlp_stm32_tim_mute(channel);
    hrlp_stm32_tim_forget(channel);
}

static inline int32_t hrlp_stm32_tim_compare_match(unsigned channel, hrl_stamp due)
{
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_CCR + 4u * channel) = due;
    hrlp_stm32_tim_clear(channel);
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_DIER) |=
        HRLP_STM32_TIM_FLAG(channel);
    return hrlp_cell_left(due, 0);
}

static inline void hrlp_stm32_tim_compare_soon(unsigned channel)
{
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_EGR) =
        HRLP_STM32_TIM_FLAG(channel);
}

HRLP_CELL_ARM_MATCH(hrlp_stm32_tim_compare, HRLP_STM32_TIM_SHORTEST)

/*
 * A timer of its own, which runs: its count is what the clock is less `due`, so that it steps to 0, from all ones, when
 * the clock comes there.
 */
static inline void hrlp_stm32_tim_follow(uint32_t base, hrl_stamp due)
{
    (void)hrlp_difference_store(&HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CNT),
                                &HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_CNT),
                                due - HRLP_STM32_TIM_LATENCY);
}

static inline void hrlp_stm32_tim_counter_halt(unsigned channel)
{
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_BASE(channel), HRLP_STM32_TIM_CR1) = HRLP_STM32_TIM_URS;
    hrlp_stm32_tim_forget(channel);
}

/* Its last number is all ones, from reset on. It begins far from there, and stops when it has stepped to 0. */
static inline int32_t hrlp_stm32_tim_counter_match(unsigned channel, hrl_stamp due)
{
    uint32_t base = HRLP_STM32_TIM_BASE(channel);

    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CNT) = 0;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_DIER) = HRLP_STM32_TIM_UIF;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CR1) =
        HRLP_STM32_TIM_URS | HRLP_STM32_TIM_OPM | HRLP_STM32_TIM_CEN;
    hrlp_stm32_tim_follow(base, due);
    return hrlp_cell_left(due, 0);
}

/* With the next count; not again if it has stopped. */
static inline void hrlp_stm32_tim_counter_soon(unsigned channel)
{
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_BASE(channel), HRLP_STM32_TIM_CNT) = 0xFFFFFFFFu;
}

HRLP_CELL_ARM_MATCH(hrlp_stm32_tim_counter, HRLP_STM32_TIM_SHORTEST)

static inline void hrlp_stm32_tim_arm(unsigned channel, hrl_stamp due)
{
    if (HRLP_STM32_TIM_IS_COMPARE(channel)) {
        hrlp_stm32_tim_compare_arm(channel, due);
    } else {
        hrlp_stm32_tim_counter_arm(channel, due);
    }
}

HRLP_CELL_REARM_IS_ARM(hrlp_stm32_tim)

/*
 * Starts a counter of 16 bits, which has a prescaler of 2^`shift`, so that it steps to 0 at `first`: it looks at what
 * is left until that is a multiple of the prescaler. Context: interrupts masked.
 */
void hrlp_stm32_tim_start_far(uint32_t base, hrl_stamp first, uint32_t shift);

/*
 * The first interval may be longer than 16 bits: then it is counted by a prescaler. Its numbers are taken at once; the
 * second interval's are loaded when the first ends.
 */
static inline void hrlp_stm32_tim_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    uint32_t base = HRLP_STM32_TIM_BASE(channel);
    uint32_t shift = 0;

    hrlp_stm32_tim_counter_halt(channel);
    while (hrlp_cell_left(first, 0) >> shift > 0xFFFF) {
        shift++;
    }
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_PSC) = (1u << shift) - 1u;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_ARR) = 0xFFFFFFFFu;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_EGR) = HRLP_STM32_TIM_UG;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_DIER) = HRLP_STM32_TIM_UIF;
    if (shift == 0) {
        HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CR1) =
            HRLP_STM32_TIM_URS | HRLP_STM32_TIM_ARPE | HRLP_STM32_TIM_CEN;
        hrlp_stm32_tim_follow(base, first);
    } else {
        hrlp_stm32_tim_start_far(base, first, shift);
    }
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_PSC) = 0;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_ARR) = period - 1u;
}

/* The reload value is of the next interval. */
static inline void hrlp_stm32_tim_set_period(unsigned channel, uint32_t counts)
{
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_BASE(channel), HRLP_STM32_TIM_ARR) = counts - 1u;
}

HRLP_CELL_STRETCH_BY_PERIOD(hrlp_stm32_tim, true)

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_stm32_tim)

#endif
