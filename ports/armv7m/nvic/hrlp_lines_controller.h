/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINES_CONTROLLER_H
#define HRLP_LINES_CONTROLLER_H

/*
 * Lines 0 to 31 of the MPS2's CMSDK subsystem. A board with other lines has a file of this name in its folder `port`,
 * which goes before this one.
 */
#define HRLP_IRQ_LINES 32
/* clang-format off */
#define HRLP_ARMV7M_LINES(ROW)                                                                     \
    ROW(UARTRX0) ROW(UARTTX0) ROW(UARTRX1) ROW(UARTTX1) ROW(UARTRX2) ROW(UARTTX2)                  \
    ROW(PORT0_ALL) ROW(PORT1_ALL) ROW(TIMER0) ROW(TIMER1) ROW(DUALTIMER) ROW(SPI)                  \
    ROW(UARTOVF) ROW(ETHERNET) ROW(I2S) ROW(TSC) ROW(PORT2_ALL) ROW(PORT3_ALL)                     \
    ROW(UARTRX3) ROW(UARTTX3) ROW(UARTRX4) ROW(UARTTX4) ROW(ADCSPI) ROW(SHIELDSPI)                 \
    ROW(PORT0_0) ROW(PORT0_1) ROW(PORT0_2) ROW(PORT0_3)                                            \
    ROW(PORT0_4) ROW(PORT0_5) ROW(PORT0_6) ROW(PORT0_7)
/* clang-format on */

#endif
