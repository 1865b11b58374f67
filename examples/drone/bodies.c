/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * The task bodies of a small quadrocopter. Each is a plain C function that does one job and
 * returns; Horolog calls it once a release. It neither loops for ever nor waits: system.toml says
 * when it runs.
 *
 * The sensors are models, so the program runs in an emulator and does the same every time. On a
 * real drone, replace the sense_...() functions by functions that read your hardware.
 *
 * Tasks share data in single aligned words, each written by one task only. A word is read and
 * written whole, so no lock is needed. A reader may see x of one job and y of the next, which does
 * not matter here.
 */
#include <stdint.h>

/* The bodies, as system.toml names them. */
void rate_control(void);
void attitude_filter(void);
void receiver_decode(void);
void altitude_hold(void);
void telemetry_format(void);
void battery_monitor(void);
void self_check(void);

enum { ROLL, PITCH, YAW, AXES };

/* ---- data that tasks share ------------------------------------------------------------------- */

static volatile float wanted_rate[AXES]; /* degrees/s: attitude_filter -> rate_control */
static volatile int32_t attitude_centidegrees[AXES]; /* attitude_filter -> telemetry_format */
static volatile int32_t altitude_mm;                 /* altitude_hold -> telemetry_format */
static volatile int32_t battery_mv;                  /* battery_monitor -> telemetry_format */
static volatile int32_t battery_percent;             /* battery_monitor -> telemetry_format */
static volatile uint32_t memory_faults;              /* self_check -> the debugger */

/* ---- outputs: on a real drone these are registers -------------------------------------------- */

static volatile int32_t motor_command[4];
static volatile int32_t stick_position[8];
static volatile uint8_t radio_line[64];

/* ---- models of the sensors ------------------------------------------------------------------- */

/* A triangle wave between -amplitude and +amplitude: simple, and the same on every machine. */
static int32_t triangle(uint32_t step, uint32_t period, int32_t amplitude)
{
    int32_t const half = (int32_t)(period / 2U);
    int32_t const at = (int32_t)(step % period);
    int32_t const up = at < half ? at : (int32_t)period - at;

    return 2 * amplitude * up / half - amplitude;
}

/* Gyroscope, in 1/16 degree/s as such sensors give it. */
static int32_t sense_gyro(uint32_t step, int axis)
{
    return triangle(step + 40U * (uint32_t)axis, 400U + 60U * (uint32_t)axis, 480);
}

/* Accelerometer, in 1/4096 g. */
static int32_t sense_acceleration(uint32_t step, int axis)
{
    return axis == YAW ? 4096 : triangle(step + 25U * (uint32_t)axis, 250U, 700);
}

/* Barometer, in mm above the start. */
static int32_t sense_altitude(uint32_t step)
{
    return 1500 + triangle(step, 300U, 400) + triangle(step, 7U, 30);
}

/* Battery, in mV, sagging as the flight goes on. */
static int32_t sense_battery(uint32_t step)
{
    return 12400 - (int32_t)(step % 2000U) + triangle(step, 9U, 60);
}

/* ---- rate control, 2.5 ms: three PID loops and the motor mixer ------------------------------- */

struct pid {
    float integral;
    float last_error;
    float slope; /* filtered derivative */
};

static float clamp(float value, float limit)
{
    if (value > limit) {
        return limit;
    }
    return value < -limit ? -limit : value;
}

/* One step of a PID loop: its integral cannot wind up, its derivative is low-pass filtered. */
static float pid_step(struct pid *loop, float error)
{
    static float const kp = 0.9F;
    static float const ki_dt = 0.4F * 0.0025F;
    static float const kd_per_dt = 0.0015F / 0.0025F;

    loop->integral = clamp(loop->integral + ki_dt * error, 20.0F);
    loop->slope += 0.25F * (kd_per_dt * (error - loop->last_error) - loop->slope);
    loop->last_error = error;
    return kp * error + loop->integral + loop->slope;
}

void rate_control(void)
{
    static uint32_t step;
    static struct pid loops[AXES];
    static int32_t const throttle = 1400;
    int32_t torque[AXES];

    for (int axis = 0; axis < AXES; axis++) {
        float const rate = (float)sense_gyro(step, axis) * (1.0F / 16.0F);

        torque[axis] = (int32_t)clamp(pid_step(&loops[axis], wanted_rate[axis] - rate), 300.0F);
    }
    motor_command[0] = throttle + torque[ROLL] + torque[PITCH] - torque[YAW];
    motor_command[1] = throttle - torque[ROLL] + torque[PITCH] + torque[YAW];
    motor_command[2] = throttle - torque[ROLL] - torque[PITCH] - torque[YAW];
    motor_command[3] = throttle + torque[ROLL] - torque[PITCH] + torque[YAW];
    step++;
}

/* ---- attitude, 5 ms: a complementary filter, and the outer loop ------------------------------ */

void attitude_filter(void)
{
    static uint32_t step;
    static float angle[AXES]; /* degrees */

    for (int axis = 0; axis < AXES; axis++) {
        float const rate = (float)sense_gyro(2U * step, axis) * (1.0F / 16.0F);

        angle[axis] += rate * 0.005F;
        if (axis != YAW) { /* gravity says nothing about the heading */
            /* For small angles, the angle is the sideways part of gravity. */
            float const lean = (float)sense_acceleration(step, axis) * (57.29578F / 4096.0F);

            angle[axis] += 0.02F * (lean - angle[axis]);
        }
        attitude_centidegrees[axis] = (int32_t)(angle[axis] * 100.0F);
        wanted_rate[axis] = clamp(-4.0F * angle[axis], 200.0F);
    }
    step++;
}

/* ---- receiver, 11 ms: unpacks eight channels of 11 bits and checks the frame ----------------- */

enum { FRAME_BYTES = 11, CHANNELS = 8, CHANNEL_BITS = 11 };

static uint16_t crc16(uint8_t const *bytes, unsigned count)
{
    uint16_t crc = 0xFFFFU;

    for (unsigned i = 0; i < count; i++) {
        crc = (uint16_t)(crc ^ (unsigned)bytes[i] << 8);
        for (int bit = 0; bit < 8; bit++) {
            unsigned const shifted = (unsigned)crc << 1;

            crc = (uint16_t)((crc & 0x8000U) != 0U ? shifted ^ 0x1021U : shifted);
        }
    }
    return crc;
}

void receiver_decode(void)
{
    static uint32_t step;
    uint8_t frame[FRAME_BYTES];
    uint32_t window = 0; /* bits that have not become a channel yet */
    unsigned held = 0;
    unsigned channel = 0;

    for (unsigned i = 0; i < FRAME_BYTES; i++) {
        frame[i] = (uint8_t)(step * 7U + i * 29U);
    }
    /* On a real drone the frame carries its own checksum; here the model's is always right. */
    if (crc16(frame, FRAME_BYTES) == 0U) {
        step++;
        return;
    }
    for (unsigned i = 0; i < FRAME_BYTES; i++) {
        window |= (uint32_t)frame[i] << held;
        held += 8U;
        if (held >= CHANNEL_BITS) {
            stick_position[channel] = (int32_t)(window & 0x7FFU) - 1024;
            channel++;
            window >>= CHANNEL_BITS;
            held -= CHANNEL_BITS;
        }
    }
    step++;
}

/* ---- altitude, 20 ms: an alpha-beta filter in fixed point (16 fractional bits) --------------- */

void altitude_hold(void)
{
    static uint32_t step;
    static int64_t height;      /* mm */
    static int64_t climb;       /* mm per step */
    int64_t const alpha = 6554; /* 0.1 */
    int64_t const beta = 328;   /* 0.005 */
    int64_t const measured = (int64_t)sense_altitude(step) * 65536;
    int64_t const predicted = height + climb;
    int64_t const surprise = measured - predicted;

    height = predicted + surprise / 65536 * alpha;
    climb += surprise / 65536 * beta;
    altitude_mm = (int32_t)(height / 65536);
    step++;
}

/* ---- telemetry, 59 ms: one line of text with a checksum -------------------------------------- */

/*
 * A sign and `digits` decimal digits. It takes the same time for every value: what a job costs does
 * not depend on how far the tasks that it reports about have come.
 */
static unsigned put_number(unsigned at, int32_t value, unsigned digits)
{
    uint32_t const negative = (uint32_t)value >> 31;
    uint32_t rest = ((uint32_t)value ^ (0U - negative)) + negative;

    radio_line[at] = (uint8_t)('+' + 2U * negative); /* '-' is two after '+' */
    for (unsigned i = digits; i > 0U; i--) {
        radio_line[at + i] = (uint8_t)('0' + rest % 10U);
        rest /= 10U;
    }
    radio_line[at + digits + 1U] = ',';
    return at + digits + 2U;
}

void telemetry_format(void)
{
    static char const hex[] = "0123456789ABCDEF";
    static int32_t sequence;
    unsigned at = 0;
    unsigned sum = 0;

    radio_line[at] = '$';
    at++;
    at = put_number(at, sequence, 6);
    for (int axis = 0; axis < AXES; axis++) {
        at = put_number(at, attitude_centidegrees[axis], 5);
    }
    at = put_number(at, altitude_mm, 6);
    at = put_number(at, battery_mv, 5);
    at = put_number(at, battery_percent, 3);
    for (unsigned i = 1; i < at; i++) {
        sum ^= radio_line[i];
    }
    radio_line[at] = '*';
    radio_line[at + 1U] = (uint8_t)hex[sum >> 4 & 15U];
    radio_line[at + 2U] = (uint8_t)hex[sum & 15U];
    radio_line[at + 3U] = '\n';
    sequence = sequence < 999999 ? sequence + 1 : 0;
}

/* ---- battery, 100 ms: a moving average, and the charge that a table gives for it ------------- */

enum { SAMPLES = 16, POINTS = 6 };

void battery_monitor(void)
{
    static int32_t const charge_mv[POINTS] = {9900, 10800, 11100, 11400, 11900, 12600};
    static int32_t const charge_percent[POINTS] = {0, 10, 30, 55, 80, 100};
    static int32_t samples[SAMPLES];
    static uint32_t step;
    int32_t sum = 0;
    int32_t percent = 0;

    samples[step % SAMPLES] = sense_battery(step);
    step++;
    for (int i = 0; i < SAMPLES; i++) {
        sum += samples[i];
    }
    battery_mv = sum / SAMPLES;
    for (int i = 1; i < POINTS; i++) {
        int32_t const above = sum / SAMPLES - charge_mv[i - 1];

        if (above >= 0) {
            percent = charge_percent[i - 1] + above * (charge_percent[i] - charge_percent[i - 1]) /
                                                  (charge_mv[i] - charge_mv[i - 1]);
        }
    }
    battery_percent = percent < 100 ? percent : 100;
}

/* ---- self check, 250 ms: a CRC over constants that must not change --------------------------- */

enum { GUARDED_WORDS = 32 };

static uint32_t crc32_word(uint32_t crc, uint32_t word)
{
    crc ^= word;
    for (int bit = 0; bit < 32; bit++) {
        crc = crc >> 1 ^ (0xEDB88320U & (0U - (crc & 1U)));
    }
    return crc;
}

void self_check(void)
{
    static uint32_t guarded[GUARDED_WORDS];
    static uint32_t expected;
    static int started;
    uint32_t crc = 0xFFFFFFFFU;

    for (uint32_t i = 0; started == 0 && i < GUARDED_WORDS; i++) {
        guarded[i] = i * 2654435761U; /* calibration data, on a real drone */
    }
    for (int i = 0; i < GUARDED_WORDS; i++) {
        crc = crc32_word(crc, guarded[i]);
    }
    if (started != 0 && crc != expected) {
        memory_faults++;
    }
    expected = crc;
    started = 1;
}
