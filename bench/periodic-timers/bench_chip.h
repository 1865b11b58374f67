/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_CHIP_H
#define BENCH_CHIP_H

#include <stdint.h>

/*
 * What the simulator sees of a program: a byte written to these addresses, at which the ATmega128 has nothing.
 * Each write takes two cycles. The log has the cycle of every mark.
 */
#define BENCH_EXIT (*(volatile uint8_t *)0xE1u)
#define BENCH_MARKS (*(volatile uint8_t *)0xE2u)

#define BENCH_MARK(number) (BENCH_MARKS = (number))

/*
 * The LED with which the paper's handlers show how long they take (Table 3), on pin 0 of port B. BENCH_LED 0: none, in
 * programs where four cycles more would be in the way.
 */
#if BENCH_LED
#define BENCH_LED_ON() (PORTB |= 1u)
#define BENCH_LED_OFF() (PORTB &= (uint8_t)~1u)
#else
#define BENCH_LED_ON() ((void)0)
#define BENCH_LED_OFF() ((void)0)
#endif

#endif
