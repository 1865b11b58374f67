/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINES_CONTROLLER_H
#define HRLP_LINES_CONTROLLER_H

/* Chips differ, and Armv6-M has at most these lines: they are named by their numbers. */
/* clang-format off */
#define HRLP_CORTEX_M_LINES(ROW)                                                                   \
    ROW(IRQ0) ROW(IRQ1) ROW(IRQ2) ROW(IRQ3) ROW(IRQ4) ROW(IRQ5) ROW(IRQ6) ROW(IRQ7)                \
    ROW(IRQ8) ROW(IRQ9) ROW(IRQ10) ROW(IRQ11) ROW(IRQ12) ROW(IRQ13) ROW(IRQ14) ROW(IRQ15)          \
    ROW(IRQ16) ROW(IRQ17) ROW(IRQ18) ROW(IRQ19) ROW(IRQ20) ROW(IRQ21) ROW(IRQ22) ROW(IRQ23)        \
    ROW(IRQ24) ROW(IRQ25) ROW(IRQ26) ROW(IRQ27) ROW(IRQ28) ROW(IRQ29) ROW(IRQ30) ROW(IRQ31)
/* clang-format on */

#endif
