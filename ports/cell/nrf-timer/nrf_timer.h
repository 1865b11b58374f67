/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NRF_TIMER_REGISTERS_H
#define HRLP_NRF_TIMER_REGISTERS_H

#include <stdint.h>

/*
 * Nordic's TIMER (nRF51 Series Reference Manual, 18; the nRF52's is the same): a counter behind a prescaler of
 * 16 MHz, which tasks start, clear and capture into a channel's CC, and four channels (nRF51) that compare. Tasks are
 * started by writing 1. An event is a word of its own, which stays 1 until 0 is written. The channels of a timer
 * share its interrupt line.
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
    ((struct hrlp_nrf_timer_registers *)(0x40008000u + 0x1000u * (unsigned)(timer)))
#define HRLP_NRF_TIMER_LINE_OF(timer) (8 + (int)(timer))

enum {
    HRLP_NRF_TIMER_16_BITS = 0,
    HRLP_NRF_TIMER_24_BITS = 2,
    HRLP_NRF_TIMER_1_MHZ = 4, /* the prescaler's exponent */
    HRLP_NRF_TIMER_HALF = 2,  /* the channel of TIMER0 that fires at each half of the counter */
    HRLP_NRF_TIMER_NOW = 3    /* that into which the counter is captured to be read */
};
#define HRLP_NRF_TIMER_HALF_COUNTS ((uint32_t)1 << 23)

/*
 * The clock's instant at the beginning of the present half of TIMER0's counter, or of the one before if the interrupt
 * is still to come; whether that was 2^32 and the kernel has not been told.
 */
struct hrlp_nrf_timer_clock {
    volatile uint32_t half;
    volatile uint32_t wrapped;
};

extern struct hrlp_nrf_timer_clock hrlp_nrf_timer_clock;

#endif
