/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_AVR_TIMER16_REGISTERS_H
#define HRLP_AVR_TIMER16_REGISTERS_H

#include <avr/io.h>
#include <stdint.h>

/*
 * The 16-bit timers of AVR: timer 1, and timer 3 where the chip has it. Both count for ever through 16 bits, by
 * one prescaler, from the same instant on. Registers of 16 bits are read and written through one byte that they
 * share, so that interrupts are masked meanwhile.
 */
#ifndef HRL_BOARD_CLOCK_PRESCALER
#define HRL_BOARD_CLOCK_PRESCALER 64
#endif
#define HRLP_AVR_TIMER16_TAP(prescaler)                                                            \
    ((prescaler) == 1      ? 1u                                                                    \
     : (prescaler) == 8    ? 2u                                                                    \
     : (prescaler) == 64   ? 3u                                                                    \
     : (prescaler) == 256  ? 4u                                                                    \
     : (prescaler) == 1024 ? 5u                                                                    \
                           : 0u)
#define HRLP_AVR_TIMER16_SELECT HRLP_AVR_TIMER16_TAP(HRL_BOARD_CLOCK_PRESCALER)
_Static_assert(HRLP_AVR_TIMER16_SELECT != 0, "a prescaler that the timers do not have");

/* The flag of the clock's overflow. */
#ifdef TIFR1
#define HRLP_AVR_TIMER16_FLAGS TIFR1
#else
#define HRLP_AVR_TIMER16_FLAGS TIFR
#endif

/* The clock's bits 16 to 31; whether they have gone to 0 and the kernel has not been told. */
struct hrlp_avr_timer16 {
    volatile uint16_t high;
    volatile uint8_t wrapped;
};

extern struct hrlp_avr_timer16 hrlp_avr_timer16;

#endif
