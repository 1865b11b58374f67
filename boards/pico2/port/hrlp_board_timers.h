/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The TIMER of RP2350 that is the clock. */
#ifndef HRLP_BOARD_TIMERS_H
#define HRLP_BOARD_TIMERS_H

#define HRLP_RP_TIMER_BASE 0x400b0000u /* TIMER0 */
#define HRLP_RP_TIMER_INTR 0x3cu       /* INTE and INTF follow */
#define HRLP_RP_TIMER_FIRST_LINE 0     /* of alarm 0; those of the others follow */
#define HRLP_RP_TIMER_READS_BACK 1     /* a store may still be on its way when a handler ends */
#define HRLP_RP_TIMER_HANDLER TIMER0_IRQ_0_Handler /* of alarm 0, for the tick of FreeRTOS */

/* What its clock comes from: a crystal, and the processors' clock by the PLL, cycles a count. */
#define HRLP_RP_CRYSTAL_MHZ 12u
#define HRLP_RP_COUNT_CYCLES 150u
#define HRLP_RP_RESETS_BASE 0x40020000u
#define HRLP_RP_RESET_TIMER (1u << 23)
#define HRLP_RP_RESET_PLL (1u << 14)
#define HRLP_RP_XOSC_BASE 0x40048000u
#define HRLP_RP_PLL_BASE 0x40050000u
#define HRLP_RP_CLOCKS_BASE 0x40010000u
#define HRLP_RP_TICK_CTRL 0x40108018u
#define HRLP_RP_TICK_CYCLES 0x4010801cu
#define HRLP_RP_TICK_START 1u

/* The crystal's 12 MHz by 75, by 6 and by 1: 150 MHz. */
#define HRLP_RP_PLL_MULTIPLY 75u
#define HRLP_RP_PLL_DIVIDE (6u << 16 | 1u << 12)

#endif
