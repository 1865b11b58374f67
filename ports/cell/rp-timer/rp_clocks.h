/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RP_CLOCKS_H
#define HRLP_RP_CLOCKS_H

/*
 * Brings the chip from its ring oscillator to its crystal of 12 MHz: the processors and peripherals to what the board's
 * header says, and the timer's tick to 1 MHz. The timer is at 0 then, without alarms. Context: start-up, interrupts masked.
 */
void hrlp_rp_clocks_start(void);

#endif
