/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RP_TIMER_REGISTERS_H
#define HRLP_RP_TIMER_REGISTERS_H

#include "hrlp_board_timers.h" /* which TIMER, where it is: the board's (horolog board new) */
#include <stdint.h>

/*
 * TIMER of the RP2040 (RP2040 Datasheet, 4.6), and TIMER0 and TIMER1 of the RP2350 (RP2350 Datasheet, 12.8): 64 bits of
 * microseconds, and four alarms of 32 bits, each with an interrupt line of its own. Writing an alarm arms it. It fires
 * when the lower half of the counter is equal to it, and is disarmed then; what has passed already waits for the lower
 * half to come around, for 71 minutes.
 *
 * The board's header says which timer it is, and what starts its clock. It defines, with HRLP_RP_ before each name:
 *
 *   TIMER_BASE          the address of its registers
 *   TIMER_INTR          the offset of INTR; INTE is the word behind it
 *   TIMER_FIRST_LINE    the number of alarm 0's line; those of the others follow
 *   TIMER_READS_BACK    1 where a store may still be on its way to the timer when a handler ends (Cortex-M33), else 0
 *   TIMER_HANDLER       the handler of alarm 0's line, for the tick of FreeRTOS
 *   CRYSTAL_MHZ         what XOSC drives
 *   COUNT_CYCLES        the processors' cycles in a count
 *   RESETS_BASE, XOSC_BASE, PLL_BASE, CLOCKS_BASE  where the registers are of what their names say
 *   RESET_TIMER, RESET_PLL  the bits of RESETS
 *   TICK_CTRL, TICK_START  the register that starts the timer's tick, and what is written there
 *   TICK_CYCLES         the register for the periods of the crystal in a tick, where it is another one
 *   PLL_MULTIPLY, PLL_DIVIDE  what FBDIV_INT and PRIM get
 */
struct hrlp_rp_timer_registers {
    uint32_t latched[4]; /* not used: the halves that are not latched serve all cores and levels */
    volatile uint32_t alarm[4];            /* 0x10 */
    volatile uint32_t armed;               /* 0x20: 1 written disarms */
    volatile uint32_t time_high, time_low; /* TIMERAWH, TIMERAWL */
    uint32_t reserved[(HRLP_RP_TIMER_INTR - 0x2cu) / 4u];
    volatile uint32_t fired; /* INTR: 1 written clears */
    volatile uint32_t allow; /* INTE */
};
_Static_assert(sizeof(struct hrlp_rp_timer_registers) == HRLP_RP_TIMER_INTR + 8u,
               "a register is not where it is");

#define HRLP_RP_TIMER ((struct hrlp_rp_timer_registers *)HRLP_RP_TIMER_BASE)
#define HRLP_RP_TIMER_ALARMS 4u

#endif
