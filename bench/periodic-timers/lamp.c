/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_chip.h"
#include "bench_lamp.h"
#include <avr/io.h>

enum { LEDS = 7, TURN_PIN = 7, LEVELS = 16, REST_CYCLES = 159 };

static volatile uint8_t intensity[LEDS] = {2, 4, 6, 8, 10, 12, 14};

/* An eye sees light by its logarithm, more or less: a LED is on for the square of its intensity, of 256 turns. */
void bench_lamp_glow(void)
{
    uint8_t phase = 0;
    uint8_t turn = 0;

    DDRA = 0xFF;
    for (;;) {
        uint8_t leds = turn;
        uint8_t bit = 1;

        for (uint8_t i = 0; i < LEDS; i++) {
            uint16_t level = (uint16_t)(intensity[i] * intensity[i]);

            if (phase < level) {
                leds |= bit;
            }
            bit <<= 1;
        }
        phase++;
        turn ^= 1u << TURN_PIN;
        __builtin_avr_delay_cycles(REST_CYCLES); /* so that a turn takes as long as the paper's */
        PORTA = leds;
    }
}

void bench_lamp_change(void)
{
    for (uint8_t i = 0; i < LEDS; i++) {
        intensity[i] = (uint8_t)((intensity[i] + 1u) % LEVELS);
    }
}
