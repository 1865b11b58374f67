/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * The task bodies of a sound effect: two filters of second order in integers, a level and a display. Samples come from a
 * model of a line, so the program does the same in every run.
 */
#include <stdint.h>

/* The bodies, as system.toml names them. */
void filter_block(void);
void follow_envelope(void);
void draw_meter(void);
void read_knobs(void);

enum { SAMPLES = 16, FILTERS = 2, SHIFT = 14, LAMPS = 8 };

/* ---- what tasks share: single words, each written by one task -------------------------------- */

static volatile int32_t loudest; /* of the blocks so far: filter_block -> follow_envelope */
static volatile int32_t level;   /* follow_envelope -> draw_meter */
static volatile int32_t volume =
    1024; /* read_knobs -> filter_block; 1024 is as loud as what comes in */

/* What goes out: on a real device the buffer of a serial sound interface, and lamps. */
volatile int16_t audio_out[SAMPLES];
volatile uint32_t audio_lamps;

struct filter {
    int32_t b0, b1, b2, a1, a2; /* coefficients, in 1/2^SHIFT */
    int32_t x1, x2, y1, y2;
};

static struct filter filters[FILTERS] = {
    {.b0 = 4194, .b1 = 8389, .b2 = 4194, .a1 = -3277, .a2 = 3670},
    {.b0 = 15565, .b1 = -31130, .b2 = 15565, .a1 = -31097, .a2 = 14779},
};

static int32_t filtered(struct filter *of, int32_t x)
{
    int32_t const y =
        (of->b0 * x + of->b1 * of->x1 + of->b2 * of->x2 - of->a1 * of->y1 - of->a2 * of->y2) >>
        SHIFT;

    of->x2 = of->x1;
    of->x1 = x;
    of->y2 = of->y1;
    of->y1 = y;
    return y;
}

/* A saw tooth of 440 Hz, nearly. */
static int32_t next_sample(void)
{
    static uint32_t phase;

    phase += 39370534U;
    return (int32_t)(phase >> 20) - 2048;
}

void filter_block(void)
{
    int32_t most = 0;

    for (unsigned i = 0; i < SAMPLES; i++) {
        int32_t y = next_sample();

        for (unsigned k = 0; k < FILTERS; k++) {
            y = filtered(&filters[k], y);
        }
        y = y * volume / 1024;
        audio_out[i] = (int16_t)y;
        most = y > most ? y : most;
    }
    loudest = most;
}

void follow_envelope(void)
{
    int32_t const now = loudest;

    level = now > level ? now : level - level / 8;
}

void draw_meter(void)
{
    uint32_t lamps = 0;

    for (unsigned lamp = 0; lamp < LAMPS; lamp++) {
        lamps |= (uint32_t)(level > (32 << lamp)) << lamp;
    }
    audio_lamps = lamps;
}

void read_knobs(void)
{
    static uint32_t step;

    step++;
    volume = 512 + (int32_t)(step % 64U) * 16;
}
