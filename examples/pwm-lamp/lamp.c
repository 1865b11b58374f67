/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * The task bodies of a lamp of three colours on an Arduino Uno: red, green and blue on the pins A0 to A2, which are
 * bits 0 to 2 of port C. Each brightness is one byte, written by one task, so that no lock is needed.
 */
#include <stdint.h>

#ifdef __AVR__
#include <avr/io.h>
#include <util/delay_basic.h>
#else /* elsewhere the port is two bytes that a debugger shows */
static volatile uint8_t DDRC, PORTC;
static void _delay_loop_2(uint16_t turns)
{
    for (volatile uint16_t left = turns; left > 0; left--) {
    }
}
#endif

/* The bodies, as system.toml names them. */
void pwm_cycle(void);
void fade(void);
void flicker(void);

enum { RED, GREEN, BLUE, COLOURS };
enum { STEPS = 64, STEP_TURNS = 425, ALL_COLOURS = (1 << COLOURS) - 1 };

/* Of STEPS, for so many steps of a cycle a colour is on. */
static volatile uint8_t brightness[COLOURS];

/* ---- the loop, 10 ms: all colours begin together, each goes off after its own number of steps ---------------- */

void pwm_cycle(void)
{
    uint8_t level[COLOURS]; /* a cycle begins and ends with the same brightness */

    for (uint8_t colour = 0; colour < COLOURS; colour++) {
        level[colour] = brightness[colour];
    }
    DDRC = ALL_COLOURS; /* outputs */
    for (uint8_t step = 0; step < STEPS; step++) {
        uint8_t pins = 0;

        for (uint8_t colour = 0; colour < COLOURS; colour++) {
            /* All ones while step < level. There is no branch, so that each step takes as long as the others. */
            uint8_t const on = (uint8_t)((uint16_t)(step - level[colour]) >> 8);

            pins |= (uint8_t)(on & (1U << colour));
        }
        PORTC = pins;
        _delay_loop_2(STEP_TURNS);
    }
    PORTC = 0;
}

/* ---- what changes the brightness ----------------------------------------------------------------------------- */

/* Up to STEPS and down again, one step a call. */
static uint8_t breathe(uint8_t *at)
{
    *at = (uint8_t)((*at + 1U) % (2U * STEPS));
    return *at < STEPS ? *at : (uint8_t)(2U * STEPS - *at);
}

void fade(void)
{
    static uint8_t red, green = STEPS; /* brightest when red is dark */

    brightness[RED] = breathe(&red);
    brightness[GREEN] = breathe(&green);
}

/* As a candle does: a shift register of 16 bits with feedback, which comes to each value but 0. */
void flicker(void)
{
    static uint16_t noise = 0xACE1U;

    noise = (uint16_t)(noise >> 1 ^ (0xB400U & (0U - (noise & 1U))));
    brightness[BLUE] = (uint8_t)(8U + (noise & 15U));
}
