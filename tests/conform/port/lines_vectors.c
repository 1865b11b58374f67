/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include <avr/io.h>

/*
 * Two external interrupts, by a change of their pins, which are outputs: on rising edges. Their flags are cleared
 * when the handler is entered.
 */
#ifdef EICRB /* the ATmega128: INT4 and INT5 */
#define PINS PORTE
#define DIRECTION DDRE
#define EDGES EICRB
enum { LINE = 5, PIN = 4 };
#else
#define PINS PORTD
#define DIRECTION DDRD
#define EDGES EICRA
enum { LINE = 1, PIN = 2 };
#endif

static void raise_pin(unsigned i)
{
    EDGES = 0x0F;
    DIRECTION |= 3u << PIN;
    PINS &= (uint8_t) ~(1u << (PIN + i));
    PINS |= (uint8_t)(1u << (PIN + i));
}

static void quiet(unsigned i)
{
    (void)i;
}

const struct conform_line conform_lines[2] = {
    {LINE, raise_pin, quiet},
    {LINE + 1, raise_pin, quiet},
};
