/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_H
#define HRLP_CLOCK_H

#include <hrl/types.h>
#include <stdbool.h>

/*
 * Porting contract: the clock, a counter that runs free and upwards through 32 bits.
 *
 * The port defines HRLP_CLOCK_IS_WIDE: whether the counter has 64 bits, of which hrlp_clock_read
 * shows the low half. If not (hrlp_narrow_clock.h), the driver raises an interrupt at each wrap from
 * 2^32 - 1 to 0 and calls hrli_clock_wrapped from it; a counter of less than 32 bits is the driver's
 * to extend.
 */

/*
 * Starts counting from 0, with the wrap interrupt, if there is one, enabled at HRLP_IRQ_OF_CELLS.
 * Context: start-up, interrupts masked.
 */
void hrlp_clock_start(void);

/*
 * Lets its wrap interrupt through on a core other than 0, while that starts it or later, where each core has an interrupt
 * of its own for that: the device's header defines HRLP_CLOCK_JOINS then. Context: start-up, interrupts masked.
 */
void hrlp_clock_join(void);

/* The present stamp. Context: any, one or two loads. */
static inline hrl_stamp hrlp_clock_read(void);

/* All of a wide counter. Context: any. */
static inline hrl_counts hrlp_clock_read_wide(void);

/* The upper half of a wide counter alone. Context: any, one load. */
static inline uint32_t hrlp_clock_read_high(void);

/*
 * Whether the counter wrapped and hrli_clock_wrapped has not been called for it yet; false of a wide
 * one. Context: any.
 */
static inline bool hrlp_clock_wrap_pending(void);

/*
 * hrlp_clock_read with interrupts masked, and its lower half: shorter where the device's header defines
 * HRLP_CLOCK_READS_MASKED. Context: interrupts masked.
 */
static inline hrl_stamp hrlp_clock_read_masked(void);
static inline uint16_t hrlp_clock_read_low(void);

/*
 * The upper half of hrlp_clock_read, of which a wrap of the lower half may be missing, or a byte be that of the moment
 * before. Context: any.
 */
static inline uint16_t hrlp_clock_upper(void);

#include "hrlp_clock_device.h"

#ifndef HRLP_CLOCK_JOINS
#define hrlp_clock_join() ((void)0)
#endif

#ifndef HRLP_CLOCK_READS_MASKED
static inline hrl_stamp hrlp_clock_read_masked(void)
{
    return hrlp_clock_read();
}

static inline uint16_t hrlp_clock_read_low(void)
{
    return (uint16_t)hrlp_clock_read();
}

static inline uint16_t hrlp_clock_upper(void)
{
    return (uint16_t)(hrlp_clock_read() >> 16);
}
#endif

#endif
