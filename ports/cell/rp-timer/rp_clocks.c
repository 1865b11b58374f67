/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "rp_clocks.h"
#include "hrlp_board_timers.h"
#include <stdint.h>

/*
 * RP2040 Datasheet: 2.14 resets, 2.15 clocks, 2.16 crystal, 2.18 PLL, 4.7.2 tick. RP2350 Datasheet: 7.5 resets, 8.1 clocks,
 * 8.2 crystal, 8.5 tick, 8.6 PLL.
 */
#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SETS(address) REGISTER((address) + 0x2000u) /* the bits that are written */
#define CLEARS(address) REGISTER((address) + 0x3000u)

#define RESETS_RESET HRLP_RP_RESETS_BASE
#define RESETS_DONE REGISTER(HRLP_RP_RESETS_BASE + 0x08u)
#define XOSC_CTRL REGISTER(HRLP_RP_XOSC_BASE)
#define XOSC_STATUS REGISTER(HRLP_RP_XOSC_BASE + 0x04u)
#define XOSC_STARTUP REGISTER(HRLP_RP_XOSC_BASE + 0x0Cu)
#define PLL_CS REGISTER(HRLP_RP_PLL_BASE)
#define PLL_PWR (HRLP_RP_PLL_BASE + 0x04u)
#define PLL_FBDIV_INT REGISTER(HRLP_RP_PLL_BASE + 0x08u)
#define PLL_PRIM REGISTER(HRLP_RP_PLL_BASE + 0x0Cu)
#define CLK_REF_CTRL REGISTER(HRLP_RP_CLOCKS_BASE + 0x30u)
#define CLK_REF_SELECTED REGISTER(HRLP_RP_CLOCKS_BASE + 0x38u)
#define CLK_SYS_CTRL REGISTER(HRLP_RP_CLOCKS_BASE + 0x3Cu)
#define CLK_SYS_SELECTED REGISTER(HRLP_RP_CLOCKS_BASE + 0x44u)
#define CLK_PERI_CTRL REGISTER(HRLP_RP_CLOCKS_BASE + 0x48u)

enum {
    XOSC_1_TO_15_MHZ = 0xAA0,
    XOSC_ENABLE = 0xFAB << 12,
    XOSC_STABLE_AFTER = 47,      /* times 256 periods of the crystal: 1 ms */
    PLL_POWER = 1 << 0 | 1 << 5, /* of the PLL, and of its oscillator */
    PLL_DIVIDER_POWER = 1 << 3,
    REF_FROM_XOSC = 2,
    SYS_FROM_AUXILIARY = 1, /* of which 0 is the PLL */
    PERI_ENABLE = 1 << 11   /* from the processors' clock */
};

/* As after power-up, whatever a boot loader or a debugger has left. */
static void reset(uint32_t bit)
{
    SETS(RESETS_RESET) = bit;
    CLEARS(RESETS_RESET) = bit;
    while ((RESETS_DONE & bit) == 0) {
    }
}

static void start_pll(void)
{
    reset(HRLP_RP_RESET_PLL);
    PLL_CS = 1; /* the crystal undivided */
    PLL_FBDIV_INT = HRLP_RP_PLL_MULTIPLY;
    CLEARS(PLL_PWR) = PLL_POWER;
    while (PLL_CS >> 31 == 0) { /* locked */
    }
    PLL_PRIM = HRLP_RP_PLL_DIVIDE;
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
#ifdef HRLP_RP_TICK_CYCLES
    REGISTER(HRLP_RP_TICK_CYCLES) = HRLP_RP_CRYSTAL_MHZ;
#endif
    REGISTER(HRLP_RP_TICK_CTRL) = HRLP_RP_TICK_START;
    reset(HRLP_RP_RESET_TIMER);
}
