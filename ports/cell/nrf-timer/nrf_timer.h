/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NRF_TIMER_REGISTERS_H
#define HRLP_NRF_TIMER_REGISTERS_H

#include "hrlp_board_timers.h" /* which timers, where they are: the board's (horolog board new) */
#include "hrlp_cell_base.h"
#include <stddef.h>
#include <stdint.h>

/*
 * Nordic's TIMER (nRF51 Series Reference Manual, 18; the nRF52's is the same): a counter behind a prescaler of
 * 16 MHz, which tasks start, clear and capture into a channel's CC, and four channels that compare (TIMER3 and TIMER4 of
 * the nRF52 have two more, which are not used). Tasks are started by writing 1. An event is a word of its own, which stays
 * 1 until 0 is written. The channels of a timer share its interrupt line.
 */
struct hrlp_nrf_timer_registers {
    volatile uint32_t start, stop, count, clear;
    uint32_t reserved_0[12];
    volatile uint32_t capture[4]; /* 0x040 */
    uint32_t reserved_1[60];
    volatile uint32_t compared[4]; /* 0x140, events */
    uint32_t reserved_2[44];
    volatile uint32_t shorts; /* 0x200 */
    uint32_t reserved_3[64];
    volatile uint32_t allow,
        forbid; /* 0x304, INTENSET and INTENCLR: a channel's bit is 16 + channel */
    uint32_t reserved_4[126];
    volatile uint32_t mode, width; /* 0x504, MODE and BITMODE */
    uint32_t reserved_5;
    volatile uint32_t prescaler; /* 0x510 */
    uint32_t reserved_6[11];
    volatile uint32_t compare[4]; /* 0x540, CC */
};
_Static_assert(sizeof(struct hrlp_nrf_timer_registers) == 0x550, "a register is not where it is");

#define HRLP_NRF_TIMER(timer)                                                                      \
    ((struct hrlp_nrf_timer_registers *)(uintptr_t)HRLP_NRF_TIMER_BASE(timer))

/*
 * A group of registers by its own address: on a Cortex-M0 each takes an instruction less than by an offset from the
 * timer's.
 */
#define HRLP_NRF_TIMER_GROUP(timer, group)                                                         \
    ((volatile uint32_t *)hrlp_cell_base(HRLP_NRF_TIMER_BASE(timer) +                              \
                                         offsetof(struct hrlp_nrf_timer_registers, group)))

/*
 * The board's header numbers its timers from 0 on, in the order in which they start; timer 0 is the clock. It defines, with
 * HRLP_NRF_TIMER_ before each name:
 *
 *   TIMERS          how many there are, 1 to 5
 *   CLOCK_BITS      24 or 32, of timer 0
 *   OTHER_BITS      16, 24 or 32, of all others
 *   PRESCALER       4 to 9: all count at 16 MHz / 2^PRESCALER, 1 MHz or less. They start one after another, within 1 us,
 *                   and are to be less than a count apart
 *   START_COUNTS    HRLP_CELL_START_COUNTS (hrlp_cell.h): on all boards so far 384 cycles of the core, and 2 at least
 *   READS_BACK      1 where a store may still be on its way to the timer when a handler ends (Cortex-M4), else 0
 *   BASE(timer)     the address of its registers
 *   LINE_OF(timer)  the number of its interrupt line
 *   CLOCK_HANDLER   the handler of timer 0's line, for the tick of FreeRTOS
 */

/* All bits of a counter of `bits`, 16 to 32, and BITMODE's number for it. */
#define HRLP_NRF_TIMER_ONES(bits) (0xFFFFFFFFu >> (32u - (bits)))
#define HRLP_NRF_TIMER_BITMODE(bits) ((bits) == 32u ? 3u : (bits) == 24u ? 2u : 0u)
#define HRLP_NRF_TIMER_CLOCK_MASK HRLP_NRF_TIMER_ONES(HRLP_NRF_TIMER_CLOCK_BITS)

enum {
    HRLP_NRF_TIMER_HALF = 2, /* the channel of timer 0 that fires at each half of the counter */
    HRLP_NRF_TIMER_NOW = 3   /* that into which the counter is captured to be read */
};
#define HRLP_NRF_TIMER_HALF_COUNTS ((uint32_t)1 << (HRLP_NRF_TIMER_CLOCK_BITS - 1u))

/*
 * The clock's instant at the beginning of the present half of timer 0's counter, or of the one before if the interrupt
 * is still to come; whether that was 2^32 and the kernel has not been told: until then the half's event stays up.
 */
struct hrlp_nrf_timer_clock {
    volatile uint32_t half;
    volatile uint32_t wrapped;
};

extern struct hrlp_nrf_timer_clock hrlp_nrf_timer_clock;

/*
 * Clears the event of CC[compare], so that its line is down when this returns. Where stores are buffered it is read back: else the line
 * could be up still when the handler ends, and the handler would be entered once more. Context: any.
 *
 * CC[compare] is to be another than the counter, as QEMU raises the event of a counter of 32 bits again otherwise.
 */
static inline __attribute__((always_inline)) void hrlp_nrf_timer_clear_event(unsigned timer,
                                                                             unsigned compare)
{
    volatile uint32_t *compared = HRLP_NRF_TIMER_GROUP(timer, compared);

    compared[compare] = 0;
    if (HRLP_NRF_TIMER_READS_BACK) {
        (void)compared[compare];
    }
}

#endif
