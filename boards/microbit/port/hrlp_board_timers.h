/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_BOARD_TIMERS_H
#define HRLP_BOARD_TIMERS_H

/* TIMER0 and TIMER1 of an nRF51. */
#define HRLP_NRF_TIMER_TIMERS 2u
#define HRLP_NRF_TIMER_CLOCK_BITS 32u
#define HRLP_NRF_TIMER_OTHER_BITS 16u
#define HRLP_NRF_TIMER_PRESCALER 4u     /* they count at 16 MHz / 2^4 */
#define HRLP_NRF_TIMER_START_COUNTS 24u /* less than half of min_counts of the cells */
#define HRLP_NRF_TIMER_READS_BACK 0     /* no store is on its way when a handler ends */

#define HRLP_NRF_TIMER_BASE(timer) (0x40008000u + 0x1000u * (unsigned)(timer))
#define HRLP_NRF_TIMER_LINE_OF(timer) (8 + (int)(timer))
#define HRLP_NRF_TIMER_CLOCK_HANDLER IRQ8_Handler /* for the tick of FreeRTOS */

#endif
