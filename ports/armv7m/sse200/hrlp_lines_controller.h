/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINES_CONTROLLER_H
#define HRLP_LINES_CONTROLLER_H

/* Lines 0 to 31 of Arm's SSE-200 subsystem; those of the board around it lie behind. */
/* clang-format off */
#define HRLP_ARMV7M_LINES(ROW)                                                                            \
    ROW(NONSEC_WATCHDOG_RESET) ROW(NONSEC_WATCHDOG) ROW(S32K_TIMER) ROW(TIMER0)                    \
    ROW(TIMER1) ROW(DUALTIMER) ROW(MHU0) ROW(MHU1)                                                 \
    ROW(CRYPTOCELL) ROW(S_MPC_COMBINED) ROW(S_PPC_COMBINED) ROW(S_MSC_COMBINED)                    \
    ROW(S_BRIDGE_ERR) ROW(I_CACHE_INV_ERR) ROW(RESERVED14) ROW(SYS_PPU)                            \
    ROW(CPU0_PPU) ROW(CPU1_PPU) ROW(CPU0_DBG_PPU) ROW(CPU1_DBG_PPU)                                \
    ROW(CRYPTOCELL_PPU) ROW(RESERVED21) ROW(RAM0_PPU) ROW(RAM1_PPU)                                \
    ROW(RAM2_PPU) ROW(RAM3_PPU) ROW(DEBUG_PPU) ROW(RESERVED27)                                     \
    ROW(CPU0_CTI) ROW(CPU1_CTI) ROW(RESERVED30) ROW(RESERVED31)
/* clang-format on */

#endif
