/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * The task bodies of a motor drive: field-oriented control in integers of Q12, as the board has no floating-point
 * unit. The motor is a model of a few lines, so the program does the same in every run.
 */
#include <math.h>
#include <stdint.h>

/* The bodies, as system.toml names them. */
extern "C" {
void current_step();
void speed_step();
void read_command();
void watch_temperature();
}

enum { ONE = 4096, ANGLES = 256, QUARTER = ANGLES / 4 };

/* ---- what tasks share: single words, each written by one task -------------------------------- */

static volatile int32_t wanted_current; /* Q12 amperes: speed_step -> current_step */
static volatile int32_t
    wanted_speed;              /* angles of 1/256 turn a millisecond: read_command -> speed_step */
static volatile int32_t speed; /* the same: current_step -> speed_step */
static volatile int32_t derating = ONE; /* watch_temperature -> speed_step */

/* ---- outputs: on a real drive these are registers -------------------------------------------- */

int32_t volatile motor_duty[3];
uint32_t volatile motor_frames;

/* ---- the motor ------------------------------------------------------------------------------- */

static int32_t angle;                /* Q8 of an angle */
static int32_t current_d, current_q; /* Q12 amperes */

/* Constructors of static objects run before the first release, so no job pays for the table. */
struct table {
    int16_t of[ANGLES];

    table()
    {
        for (int i = 0; i < ANGLES; i++) {
            of[i] = static_cast<int16_t>(ONE * sinf(static_cast<float>(i) * 6.2831853F / ANGLES));
        }
    }
    int32_t operator()(int32_t at) const
    {
        return of[static_cast<uint32_t>(at) % ANGLES];
    }
};

static table const sine;

/* A regulator of Q12 with a limited integral. */
struct regulator {
    int32_t proportional, integral, sum, most;

    int32_t operator()(int32_t error);
};

static int32_t limited(int32_t value, int32_t most)
{
    return value > most ? most : value < -most ? -most : value;
}

int32_t regulator::operator()(int32_t error)
{
    sum = limited(sum + error * integral / ONE, most);
    return limited(error * proportional / ONE + sum, most);
}

static regulator of_d = {900, 40, 0, ONE}, of_q = {900, 40, 0, ONE};
static regulator of_speed = {1200, 20, 0, 4 * ONE};

/* ---- bodies ---------------------------------------------------------------------------------- */

void current_step()
{
    int32_t const at = angle / 256;
    int32_t const s = sine(at), c = sine(at + QUARTER);
    int32_t const d = of_d(-current_d);
    int32_t const q = of_q(wanted_current - current_q);
    int32_t const alpha = (d * c - q * s) / ONE; /* the inverse Park transformation */
    int32_t const beta = (d * s + q * c) / ONE;
    int32_t const half = beta * 3547 / ONE; /* sqrt(3) / 2 */

    motor_duty[0] = alpha;
    motor_duty[1] = -alpha / 2 + half;
    motor_duty[2] = -alpha / 2 - half;
    current_d += (d - current_d) / 8;
    current_q += (q - current_q) / 8;
    angle += current_q / 64;
    speed = current_q / 16;
}

void speed_step()
{
    int32_t const error = wanted_speed - speed;

    wanted_current = of_speed(16 * error) * derating / ONE;
}

void read_command()
{
    static uint8_t frame[16];
    uint32_t sum = 0;

    for (unsigned i = 0; i < sizeof frame; i++) {
        frame[i] = static_cast<uint8_t>(motor_frames + i);
        sum += frame[i];
    }
    wanted_speed = static_cast<int32_t>(sum % 200);
    motor_frames = motor_frames + 1;
}

void watch_temperature()
{
    static int32_t readings[16];
    static unsigned next;
    int32_t sum = 0;

    readings[next++ % 16] = 40 + current_q / 512;
    for (unsigned i = 0; i < 16; i++) {
        sum += readings[i];
    }
    derating = sum / 16 > 90 ? ONE / 2 : ONE;
}
