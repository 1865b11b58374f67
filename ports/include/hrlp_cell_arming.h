/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CELL_ARMING_H
#define HRLP_CELL_ARMING_H

#include "hrlp_cell.h"
#include "hrlp_cell_base.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include <stdbool.h>

/*
 * Arming, written once for all timer devices. A driver says by short functions, its verbs, which
 * registers it sets, and names its latencies. What is near or past is said here, and what happens then:
 *
 * What is left until an instant is counted from `latency` counts after the clock was read: when the
 * counter counts first, in the driver's own instructions. An instant is past or near if less is left
 * than `shortest`, the least that the device times. The cell then interrupts as soon as it can.
 *
 * A device is one of these kinds, by the macro that it takes at file scope, without a semicolon, for
 * hrlp_<device>_arm; `device` is hrlp_<device>:
 *
 *     HRLP_CELL_ARM_COUNTER           is set to what is left; `shortest` interrupts as soon as it can
 *     HRLP_CELL_ARM_COUNTER_OR_RAISE  is set to what is left; nearer instants are raised by software
 *     HRLP_CELL_ARM_MATCH             fires when a counter steps onto a number, which it may have passed
 *
 * A comparison of 64 bits that is up as long as the clock is not less needs hrlp_cell_instant only.
 * Context of all: interrupts masked.
 */
static inline int32_t hrlp_cell_left(hrl_stamp due, uint32_t latency)
{
    return (int32_t)(due - hrlp_clock_read() - latency);
}

static inline bool hrlp_cell_is_near(int32_t left, int32_t shortest)
{
    return left < shortest;
}

/* What a counter is set to that times no less than `shortest`. */
static inline uint32_t hrlp_cell_counts(int32_t left, int32_t shortest)
{
    return (uint32_t)(hrlp_cell_is_near(left, shortest) ? shortest : left);
}

/*
 * The same for processors that have max(x, 0) in one instruction, as Armv7-M has. What is left is more than
 * -2^31 + `shortest`.
 */
static inline uint32_t hrlp_cell_counts_from_0(int32_t left, int32_t shortest)
{
    int32_t beyond = left - shortest;

    return (uint32_t)((beyond > 0 ? beyond : 0) + shortest);
}

/* `due` on the clock of 64 bits that shows `now`; `now` if it has passed. It may lie before reset. */
static inline uint64_t hrlp_cell_instant(uint64_t now, hrl_stamp due)
{
    return now + hrlp_cell_counts((int32_t)(due - (hrl_stamp)now), 0);
}

/*
 * void <device>_halt(unsigned channel): what was armed or raised before interrupts no more.
 * void <device>_set(unsigned channel, uint32_t left): interrupts once, in so many counts.
 */
#define HRLP_CELL_ARM_COUNTER(device, latency, shortest)                                           \
    static inline void device##_arm(unsigned channel, hrl_stamp due)                               \
    {                                                                                              \
        device##_halt(channel);                                                                    \
        device##_set(channel, hrlp_cell_counts(hrlp_cell_left(due, latency), shortest));           \
    }

/*
 * <device>_halt and <device>_set as for HRLP_CELL_ARM_COUNTER.
 * void <device>_raise(unsigned channel): interrupts at once.
 */
#define HRLP_CELL_ARM_COUNTER_OR_RAISE(device, latency, shortest)                                  \
    static inline void device##_arm(unsigned channel, hrl_stamp due)                               \
    {                                                                                              \
        int32_t left;                                                                              \
                                                                                                   \
        device##_halt(channel);                                                                    \
        left = hrlp_cell_left(due, latency);                                                       \
        if (hrlp_cell_is_near(left, shortest)) {                                                   \
            while (hrlp_cell_left(due, 0) > 0) { /* at most `shortest` + `latency` counts */       \
            }                                                                                      \
            device##_raise(channel);                                                               \
        } else {                                                                                   \
            device##_set(channel, (uint32_t)left);                                                 \
        }                                                                                          \
    }

/*
 * <device>_halt as for HRLP_CELL_ARM_COUNTER.
 * int32_t <device>_match(unsigned channel, hrl_stamp due): fires at `due`, if that is neither near nor
 *     past; returns what is left, as hrlp_cell_left.
 * void <device>_soon(unsigned channel): fires as soon as it can.
 */
#define HRLP_CELL_ARM_MATCH(device, shortest)                                                      \
    static inline void device##_arm(unsigned channel, hrl_stamp due)                               \
    {                                                                                              \
        device##_halt(channel);                                                                    \
        if (hrlp_cell_is_near(device##_match(channel, due), shortest)) {                           \
            device##_soon(channel);                                                                \
        }                                                                                          \
    }

/* A device with one acknowledge for all: it goes on by itself, or looks there whether it has missed an instant. */
#define HRLP_CELL_ACKNOWLEDGES_ALIKE(device)                                                       \
    enum { device##_catches_up = false };                                                          \
    static inline __attribute__((always_inline)) void device##_acknowledge_next(unsigned channel,  \
                                                                                uint32_t period)   \
    {                                                                                              \
        (void)period;                                                                              \
        device##_acknowledge(channel);                                                             \
    }                                                                                              \
    static inline __attribute__((always_inline)) void device##_catch_up(unsigned channel)          \
    {                                                                                              \
        (void)channel;                                                                             \
    }                                                                                              \
    static inline __attribute__((always_inline)) void device##_acknowledge_once(unsigned channel)  \
    {                                                                                              \
        device##_acknowledge(channel);                                                             \
    }

/* hrlp_<device>_rearm that is hrlp_<device>_arm, unless a device has a shorter one. */
#define HRLP_CELL_REARM_IS_ARM(device)                                                             \
    enum { device##_rearm_is_short = false };                                                      \
    static inline void device##_rearm(unsigned channel, hrl_stamp due)                             \
    {                                                                                              \
        device##_arm(channel, due);                                                                \
    }

/*
 * hrlp_<device>_stretch of a device with a register for the length of an interval, the present one or,
 * if it `stretches_ahead`, the next; void <device>_set_period(unsigned channel, uint32_t counts) sets it.
 */
#define HRLP_CELL_STRETCH_BY_PERIOD(device, ahead)                                                 \
    enum { device##_stretches_ahead = ahead };                                                     \
    static inline __attribute__((always_inline)) void device##_stretch(                            \
        unsigned channel, hrl_stamp due, uint32_t period, bool longer)                             \
    {                                                                                              \
        (void)due;                                                                                 \
        device##_set_period(channel, period + longer);                                             \
    }

/*
 * hrlp_<device>_stretch of a device without such a register.
 * void <device>_put_off(unsigned channel, hrl_stamp due): the present interval ends at `due`, which is a
 *     count later than `period` says. Context: interrupts masked.
 */
#define HRLP_CELL_STRETCH_BY_PUTTING_OFF(device)                                                   \
    enum { device##_stretches_ahead = false };                                                     \
    static inline __attribute__((always_inline)) void device##_stretch(                            \
        unsigned channel, hrl_stamp due, uint32_t period, bool longer)                             \
    {                                                                                              \
        (void)period;                                                                              \
        if (longer) {                                                                              \
            hrlp_irq_state state = hrlp_irq_lock();                                                \
                                                                                                   \
            device##_put_off(channel, due);                                                        \
            hrlp_irq_unlock(state);                                                                \
        }                                                                                          \
    }

#endif
