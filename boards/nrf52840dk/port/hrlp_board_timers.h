/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The timers of nRF52840_xxAA that board.toml names. */
#ifndef HRLP_BOARD_TIMERS_H
#define HRLP_BOARD_TIMERS_H

/* In the order in which they start: TIMER0, TIMER1, TIMER2, TIMER3, TIMER4. The first is the clock. */
#define HRLP_NRF_TIMER_TIMERS 5u
#define HRLP_NRF_TIMER_CLOCK_BITS 32u
#define HRLP_NRF_TIMER_OTHER_BITS 32u
#define HRLP_NRF_TIMER_PRESCALER 4u    /* they count at 16 MHz / 2^4 */
#define HRLP_NRF_TIMER_START_COUNTS 6u /* less than half of min_counts of the cells */
#define HRLP_NRF_TIMER_READS_BACK 1    /* a store may still be on its way when a handler ends */

#define HRLP_NRF_TIMER_BASE(timer)                                                                 \
    ((timer) == 0u   ? 0x40008000u                                                                 \
     : (timer) == 1u ? 0x40009000u                                                                 \
     : (timer) == 2u ? 0x4000a000u                                                                 \
     : (timer) == 3u ? 0x4001a000u                                                                 \
                     : 0x4001b000u)
#define HRLP_NRF_TIMER_LINE_OF(timer)                                                              \
    ((timer) == 0u ? 8 : (timer) == 1u ? 9 : (timer) == 2u ? 10 : (timer) == 3u ? 26 : 27)
#define HRLP_NRF_TIMER_CLOCK_HANDLER TIMER0_Handler /* for the tick of FreeRTOS */

#endif
