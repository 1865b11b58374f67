/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_STM32_TIM_H
#define HRLP_STM32_TIM_H

#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include "stm32_tim.h"
#include <stdbool.h>

/*
 * From reading the clock to a counter's first count, in counts. It has not been measured: with 0 a cell is late by
 * that time, and never early.
 */
#define HRLP_STM32_TIM_LATENCY 0u

/* A counter with a reload value of 0 stands still. A comparison that is nearer may have been passed. */
#define HRLP_STM32_TIM_SHORTEST 2

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

/* A timer of its own, which stands still: `left` counts from 0 on, by so much of a prescaler, loaded at once. */
static inline void hrlp_stm32_tim_load(uint32_t base, uint32_t left, uint32_t by)
{
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_PSC) = by - 1u;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_ARR) = left - 1u;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_EGR) = HRLP_STM32_TIM_UG;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_DIER) = HRLP_STM32_TIM_UIF;
}

static inline void hrlp_stm32_tim_counter_halt(unsigned channel)
{
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_BASE(channel), HRLP_STM32_TIM_CR1) = HRLP_STM32_TIM_URS;
    hrlp_stm32_tim_forget(channel);
}

static inline void hrlp_stm32_tim_counter_set(unsigned channel, uint32_t left)
{
    uint32_t base = HRLP_STM32_TIM_BASE(channel);

    hrlp_stm32_tim_load(base, left, 1);
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CR1) =
        HRLP_STM32_TIM_URS | HRLP_STM32_TIM_OPM | HRLP_STM32_TIM_CEN;
}

HRLP_CELL_ARM_COUNTER(hrlp_stm32_tim_counter, HRLP_STM32_TIM_LATENCY, HRLP_STM32_TIM_SHORTEST)

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
 * The first interval may be longer than 16 bits: it is counted by a prescaler, rounded up, so that the cell is late by
 * less than that many counts. The second interval's numbers are loaded when the first ends.
 */
static inline void hrlp_stm32_tim_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    uint32_t base = HRLP_STM32_TIM_BASE(channel);
    uint32_t left;
    uint32_t by;

    hrlp_stm32_tim_counter_halt(channel);
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CR1) = HRLP_STM32_TIM_URS | HRLP_STM32_TIM_ARPE;
    left = hrlp_cell_counts(hrlp_cell_left(first, HRLP_STM32_TIM_LATENCY), HRLP_STM32_TIM_SHORTEST);
    by = (left >> 16) + 1u;
    hrlp_stm32_tim_load(base, by == 1 ? left : (left + by - 1u) / by, by);
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_PSC) = 0;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_ARR) = period - 1u;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CR1) =
        HRLP_STM32_TIM_URS | HRLP_STM32_TIM_ARPE | HRLP_STM32_TIM_CEN;
}

/* The reload value is of the next interval. */
static inline void hrlp_stm32_tim_set_period(unsigned channel, uint32_t counts)
{
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_BASE(channel), HRLP_STM32_TIM_ARR) = counts - 1u;
}

HRLP_CELL_STRETCH_BY_PERIOD(hrlp_stm32_tim, true)

#endif
