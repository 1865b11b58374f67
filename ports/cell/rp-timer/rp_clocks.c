/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "rp_clocks.h"
#include <stdint.h>

/* RP2040 Datasheet: 2.14 resets, 2.15 clocks, 2.16 crystal, 2.18 PLL, 4.7.2 tick. */
#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CLEARS(address) REGISTER((address) + 0x3000u) /* the bits that are written */

#define RESETS_RESET 0x4000C000u
#define RESETS_DONE REGISTER(0x4000C008u)
#define XOSC_CTRL REGISTER(0x40024000u)
#define XOSC_STATUS REGISTER(0x40024004u)
#define XOSC_STARTUP REGISTER(0x4002400Cu)
#define PLL_CS REGISTER(0x40028000u)
#define PLL_PWR 0x40028004u
#define PLL_FBDIV_INT REGISTER(0x40028008u)
#define PLL_PRIM REGISTER(0x4002800Cu)
#define CLK_REF_CTRL REGISTER(0x40008030u)
#define CLK_REF_SELECTED REGISTER(0x40008038u)
#define CLK_SYS_CTRL REGISTER(0x4000803Cu)
#define CLK_SYS_SELECTED REGISTER(0x40008044u)
#define CLK_PERI_CTRL REGISTER(0x40008048u)
#define WATCHDOG_TICK REGISTER(0x4005802Cu)

enum {
    XOSC_1_TO_15_MHZ = 0xAA0,
    XOSC_ENABLE = 0xFAB << 12,
    XOSC_STABLE_AFTER = 47, /* times 256 periods of the crystal: 1 ms */
    RESET_PLL_SYS = 1 << 12,
    PLL_MULTIPLY = 125,             /* 12 MHz: the oscillator runs at 1,500 MHz */
    PLL_DIVIDE = 6 << 16 | 2 << 12, /* by 6 and by 2: 125 MHz */
    PLL_POWER = 1 << 0 | 1 << 5,    /* of the PLL, and of its oscillator */
    PLL_DIVIDER_POWER = 1 << 3,
    REF_FROM_XOSC = 2,
    SYS_FROM_AUXILIARY = 1, /* of which 0 is the PLL */
    PERI_ENABLE = 1 << 11,  /* from the processors' clock */
    TICK_ENABLE = 1 << 9,
    TICK_CYCLES = 12 /* of the crystal: 1 us */
};

static void start_pll(void)
{
    CLEARS(RESETS_RESET) = RESET_PLL_SYS;
    while ((RESETS_DONE & RESET_PLL_SYS) == 0) {
    }
    PLL_CS = 1; /* the crystal undivided */
    PLL_FBDIV_INT = PLL_MULTIPLY;
    CLEARS(PLL_PWR) = PLL_POWER;
    while (PLL_CS >> 31 == 0) { /* locked */
    }
    PLL_PRIM = PLL_DIVIDE;
    CLEARS(PLL_PWR) = PLL_DIVIDER_POWER;
}

void hrlp_rp_clocks_start(void)
{
    XOSC_STARTUP = XOSC_STABLE_AFTER;
    XOSC_CTRL = XOSC_1_TO_15_MHZ | XOSC_ENABLE;
    while (XOSC_STATUS >> 31 == 0) { /* stable */
    }
    CLK_REF_CTRL = REF_FROM_XOSC;
    while (CLK_REF_SELECTED != 1u << REF_FROM_XOSC) {
    }
    CLK_SYS_CTRL =
        0; /* from the crystal, while the PLL may not be used: a debugger may have started it */
    while (CLK_SYS_SELECTED != 1u) {
    }
    start_pll();
    CLK_SYS_CTRL = SYS_FROM_AUXILIARY;
    while (CLK_SYS_SELECTED != 1u << SYS_FROM_AUXILIARY) {
    }
    CLK_PERI_CTRL = PERI_ENABLE;
    WATCHDOG_TICK = TICK_ENABLE | TICK_CYCLES;
}
