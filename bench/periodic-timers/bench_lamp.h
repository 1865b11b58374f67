/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_LAMP_H
#define BENCH_LAMP_H

/*
 * The work of Figure 9 of Periodic Timers Revisited, the same for every kernel: LEDs that glow by pulse-width
 * modulation in software. A turn of the loop writes port A once, some 40 us at 8 MHz; pin 7 changes at each turn.
 */

/* The loop. Never returns. */
void bench_lamp_glow(void) __attribute__((noreturn));

/* Changes the intensity of every LED: what the alarm does. */
void bench_lamp_change(void);

#endif
