/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_BOARD_TIMERS_H
#define HRLP_BOARD_TIMERS_H

/* The TIMER of an RP2040 that is the clock: by the chip's SVD file, but for the names of lines. */
#define HRLP_RP_TIMER_BASE 0x40054000u
#define HRLP_RP_TIMER_INTR 0x34u           /* INTE and INTF follow */
#define HRLP_RP_TIMER_FIRST_LINE 0         /* of alarm 0; those of the others follow */
#define HRLP_RP_TIMER_READS_BACK 0         /* no store is on its way when a handler ends */
#define HRLP_RP_TIMER_HANDLER IRQ0_Handler /* of alarm 0, for the tick of FreeRTOS */

/* What its clock comes from: a crystal, and the processors' clock by the PLL, cycles a count. */
#define HRLP_RP_CRYSTAL_MHZ 12u
#define HRLP_RP_COUNT_CYCLES 125u
#define HRLP_RP_RESETS_BASE 0x4000c000u
#define HRLP_RP_RESET_TIMER (1u << 21)
#define HRLP_RP_RESET_PLL (1u << 12)
#define HRLP_RP_XOSC_BASE 0x40024000u
#define HRLP_RP_PLL_BASE 0x40028000u
#define HRLP_RP_CLOCKS_BASE 0x40008000u
#define HRLP_RP_TICK_CTRL 0x4005802cu
#define HRLP_RP_TICK_START (1u << 9 | HRLP_RP_CRYSTAL_MHZ) /* on; periods of XOSC a count */

/* The crystal's 12 MHz by 125, by 6 and by 2: 125 MHz. */
#define HRLP_RP_PLL_MULTIPLY 125u
#define HRLP_RP_PLL_DIVIDE (6u << 16 | 2u << 12)

#endif
