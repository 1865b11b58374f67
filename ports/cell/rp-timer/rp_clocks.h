/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RP_CLOCKS_H
#define HRLP_RP_CLOCKS_H

/*
 * Brings the RP2040 from its ring oscillator of some 6 MHz to its crystal of 12 MHz: the processors and peripherals to
 * 125 MHz, and the timer's tick to 1 MHz. Context: start-up, interrupts masked.
 */
void hrlp_rp_clocks_start(void);

#endif
