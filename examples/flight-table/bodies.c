/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * The task bodies of flight-table: a small aircraft. Each function does one job and returns.
 *
 * The sensors are models, so the program does the same every time. Tasks share data in single aligned
 * words, each written by one task only: a word is read and written whole, so no lock is needed.
 *
 * A job of the table reads what it needs when it starts, at its point of the round, and the writers have
 * ended by then. So it computes the same numbers whatever preempts it later, and however fast the
 * processor and the kernel are.
 */
#include <stdint.h>

/* The bodies, as system.toml names them. */
void sense(void);
void control(void);
void actuate(void);
void estimate(void);
void navigate(void);
void telemetry(void);
void receiver(void);
void bus_time(void);
void air_data(void);
void health(void);

enum { ROLL, PITCH, YAW, AXES };
enum { SERVOS = 4, STICKS = 4 };

/* ---- data that tasks share ------------------------------------------------------------------- */

static volatile float rate[AXES];         /* radian/s: sense -> control, estimate */
static volatile float acceleration[AXES]; /* g: sense -> estimate, navigate */
static volatile float attitude[AXES];     /* radian: estimate -> control, navigate, telemetry */
static volatile float demand[AXES];       /* -1 to 1: control -> actuate */
static volatile float position[AXES];     /* m: navigate -> telemetry */
static volatile float stick[STICKS];      /* -1 to 1: receiver -> control */
static volatile int32_t height_mm;        /* air_data -> navigate, telemetry */
static volatile uint32_t flight_faults;   /* health -> the debugger */
static volatile uint32_t late_jobs;       /* the hook of missed deadlines -> the debugger */
static volatile uint32_t
    servo_us[SERVOS];                    /* actuate -> the servos: on a real aircraft, registers */
static volatile uint8_t ground_line[64]; /* telemetry -> the ground: likewise */

/* ---- models of the sensors ------------------------------------------------------------------- */

/* A triangle wave between -amplitude and +amplitude: simple, and the same on every machine. */
static int32_t triangle(uint32_t step, uint32_t period, int32_t amplitude)
{
    int32_t const half = (int32_t)(period / 2U);
    int32_t const at = (int32_t)(step % period);
    int32_t const up = at < half ? at : (int32_t)period - at;

    return 2 * amplitude * up / half - amplitude;
}

/* ---- sense, 2.5 ms: raw values become calibrated ones ---------------------------------------- */

void sense(void)
{
    static uint32_t step;
    static float const gyro_unit = 0.001065F; /* radian/s a step of the converter */
    static float const gyro_bias[AXES] = {0.011F, -0.007F, 0.004F};

    for (int axis = 0; axis < AXES; axis++) {
        int32_t const turn = triangle(step + 40U * (uint32_t)axis, 400U, 480);
        int32_t const pull = triangle(step + 25U * (uint32_t)axis, 250U, 700);
        int32_t const gravity = axis == YAW ? 4096 : 0;

        rate[axis] = (float)turn * gyro_unit - gyro_bias[axis];
        acceleration[axis] = (float)(pull + gravity) * (1.0F / 4096.0F);
    }
    step++;
}

/* ---- control, 2.5 ms: an outer loop for the angle, an inner one for the rate ------------------ */

struct loop {
    float integral;
    float last;
    float slope; /* filtered derivative */
};

static float clamp(float value, float limit)
{
    if (value > limit) {
        return limit;
    }
    return value < -limit ? -limit : value;
}

void control(void)
{
    static uint32_t step;
    static struct loop loops[AXES];
    static float wanted_angle[AXES];
    static float const most_angle = 0.6F;

    for (int axis = 0; step % 4U == 0U && axis < AXES; axis++) { /* once a round */
        wanted_angle[axis] = most_angle * stick[axis];
    }
    for (int axis = 0; axis < AXES; axis++) {
        struct loop *const of = &loops[axis];
        float const wanted = clamp(4.0F * (wanted_angle[axis] - attitude[axis]), 2.0F);
        float const error = wanted - rate[axis];

        of->integral = clamp(of->integral + 0.001F * error, 0.3F);
        of->slope += 0.25F * (0.6F * (error - of->last) - of->slope);
        of->last = error;
        demand[axis] = clamp(0.4F * error + of->integral + of->slope, 1.0F);
    }
    step++;
}

/* ---- actuate, 2.5 ms: two ailerons, elevator and rudder, none faster than it can move ---------- */

void actuate(void)
{
    static int32_t const mixer[SERVOS][AXES] = {{64, 0, 0}, {-64, 0, 0}, {0, 64, 0}, {8, 0, 56}};
    static int32_t now[SERVOS];
    static int32_t const most_step = 20;
    int32_t asked[AXES];

    for (int axis = 0; axis < AXES; axis++) {
        asked[axis] = (int32_t)(demand[axis] * 500.0F);
    }
    for (int servo = 0; servo < SERVOS; servo++) {
        int32_t sum = 0;
        int32_t move = 0;

        for (int axis = 0; axis < AXES; axis++) {
            sum += mixer[servo][axis] * asked[axis];
        }
        move = sum / 64 - now[servo];
        move = move > most_step ? most_step : move;
        move = move < -most_step ? -most_step : move;
        now[servo] += move;
        servo_us[servo] = (uint32_t)(1500 + now[servo]);
    }
}

/* ---- estimate, 5 ms: a quaternion that the gyroscopes turn and gravity corrects ---------------- */

enum { PARTS = 4 }; /* of a step: the quaternion turns a little at a time */

/* 1 / sqrt(x) by Newton's method, for x near 1. */
static float inverse_root(float x)
{
    float guess = 1.5F - 0.5F * x;

    for (int turn = 0; turn < 3; turn++) {
        guess *= 1.5F - 0.5F * x * guess * guess;
    }
    return guess;
}

/* Turns the quaternion `q` by `rates` for twice `half_dt`; `pull` is gravity, and noise. */
static void turn_by(float q[4], float const rates[AXES], float const pull[AXES], float half_dt)
{
    static float const gain = 0.05F;
    float turn[AXES];
    float down[AXES]; /* where the quaternion says that gravity points */
    float made[4];
    float norm = 0.0F;

    down[ROLL] = 2.0F * (q[1] * q[3] - q[0] * q[2]);
    down[PITCH] = 2.0F * (q[0] * q[1] + q[2] * q[3]);
    down[YAW] = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3];
    for (int axis = 0; axis < AXES; axis++) {
        int const next = (axis + 1) % AXES;
        int const last = (axis + 2) % AXES;
        float const off = pull[next] * down[last] - pull[last] * down[next];

        turn[axis] = (rates[axis] + gain * off) * half_dt;
    }
    made[0] = q[0] - q[1] * turn[ROLL] - q[2] * turn[PITCH] - q[3] * turn[YAW];
    made[1] = q[1] + q[0] * turn[ROLL] + q[2] * turn[YAW] - q[3] * turn[PITCH];
    made[2] = q[2] + q[0] * turn[PITCH] - q[1] * turn[YAW] + q[3] * turn[ROLL];
    made[3] = q[3] + q[0] * turn[YAW] + q[1] * turn[PITCH] - q[2] * turn[ROLL];
    for (int i = 0; i < 4; i++) {
        norm += made[i] * made[i];
    }
    norm = inverse_root(norm);
    for (int i = 0; i < 4; i++) {
        q[i] = made[i] * norm;
    }
}

void estimate(void)
{
    static float q[4] = {1.0F, 0.0F, 0.0F, 0.0F};
    float rates[AXES];
    float pull[AXES];

    for (int axis = 0; axis < AXES; axis++) { /* "sense" preempts the loop below */
        rates[axis] = rate[axis];
        pull[axis] = acceleration[axis];
    }
    for (int part = 0; part < PARTS; part++) {
        turn_by(q, rates, pull, 0.5F * 0.005F / (float)PARTS);
    }
    /* For small angles, an angle is twice its part of the quaternion. */
    for (int axis = 0; axis < AXES; axis++) {
        attitude[axis] = 2.0F * q[axis + 1];
    }
}

/* ---- navigate, 10 ms: a Kalman filter ----------------------------------------------------------- */

enum { SPEED = AXES, BIAS = 2 * AXES, STATES = 3 * AXES };

static float state[STATES];              /* positions, speeds, errors of the accelerometers */
static float covariance[STATES][STATES]; /* of the errors of these */

/* P = F P F' + Q: a step of `dt` adds a part of each speed to its position, of each error to its speed. */
static void spread_errors(float dt)
{
    static float const unsure[STATES / AXES] = {1e-4F, 1e-3F, 1e-6F};

    for (int i = 0; i < BIAS; i++) {
        for (int j = 0; j < STATES; j++) {
            covariance[i][j] += dt * covariance[i + AXES][j];
        }
    }
    for (int i = 0; i < STATES; i++) {
        for (int j = 0; j < BIAS; j++) {
            covariance[i][j] += dt * covariance[i][j + AXES];
        }
        covariance[i][i] += unsure[i / AXES];
    }
}

/* 1 / x for x from 0.03 to 10,000, by integers: the processor has no unit for floating-point numbers. */
static float inverse(float x)
{
    return (float)(1000000000 / (int32_t)(x * 100000.0F)) * 0.0001F;
}

/* One measured position or speed: all states move by what it says, and their errors shrink. */
static void weigh_in(int at, float measured, float noise)
{
    float const share = inverse(covariance[at][at] + noise);
    float const surprise = measured - state[at];
    float gain[STATES];
    float row[STATES];

    for (int i = 0; i < STATES; i++) {
        gain[i] = covariance[i][at] * share;
        row[i] = covariance[at][i];
    }
    for (int i = 0; i < STATES; i++) {
        state[i] += gain[i] * surprise;
        for (int j = 0; j < STATES; j++) {
            covariance[i][j] -= gain[i] * row[j];
        }
    }
}

void navigate(void)
{
    static uint32_t step;
    static float const dt = 0.01F;
    static float const gravity = 9.81F;
    int32_t const height = height_mm;

    for (int axis = 0; axis < AXES; axis++) {
        float const lean = axis == YAW ? acceleration[YAW] - 1.0F : attitude[axis];
        float const push = gravity * lean + state[axis + BIAS];

        state[axis] += dt * state[axis + SPEED] + 0.5F * dt * dt * push;
        state[axis + SPEED] += dt * push;
    }
    spread_errors(dt);
    for (int axis = 0; axis < AXES; axis++) {
        int32_t const cm = triangle(step + 70U * (uint32_t)axis, 900U, 4000);
        int32_t const mm = axis == YAW ? height : 10 * cm;
        int32_t const mm_per_s = triangle(step + 70U * (uint32_t)axis, 90U, 300);

        weigh_in(axis, (float)mm * 0.001F, 0.25F);
        weigh_in(axis + SPEED, (float)mm_per_s * 0.001F, 0.04F);
    }
    for (int axis = 0; axis < AXES; axis++) {
        position[axis] = state[axis];
    }
    step++;
}

/* ---- telemetry, 10 ms: one line of text with a checksum --------------------------------------- */

/* A sign and `digits` decimal digits, in the same time for every value. */
static unsigned put_number(unsigned at, int32_t value, unsigned digits)
{
    uint32_t const negative = (uint32_t)value >> 31;
    uint32_t rest = ((uint32_t)value ^ (0U - negative)) + negative;

    ground_line[at] = (uint8_t)('+' + 2U * negative); /* '-' is two after '+' */
    for (unsigned i = digits; i > 0U; i--) {
        ground_line[at + i] = (uint8_t)('0' + rest % 10U);
        rest /= 10U;
    }
    ground_line[at + digits + 1U] = ',';
    return at + digits + 2U;
}

void telemetry(void)
{
    static char const hex[] = "0123456789ABCDEF";
    unsigned at = 0;
    unsigned sum = 0;

    for (int axis = 0; axis < AXES; axis++) {
        at = put_number(at, (int32_t)(attitude[axis] * 1000.0F), 4);
    }
    for (int axis = 0; axis < AXES; axis++) {
        at = put_number(at, (int32_t)(position[axis] * 100.0F), 6);
    }
    for (unsigned i = 0; i < at; i++) {
        sum ^= ground_line[i];
    }
    ground_line[at] = '*';
    ground_line[at + 1U] = (uint8_t)hex[sum >> 4 & 15U];
    ground_line[at + 2U] = (uint8_t)hex[sum & 15U];
    ground_line[at + 3U] = '\n';
}

/* ---- the threads ------------------------------------------------------------------------------ */

/* receiver, 8 ms: four channels of twelve bits, and a checksum. */
void receiver(void)
{
    enum { FRAME_BYTES = 6 };
    static uint32_t step;
    uint8_t frame[FRAME_BYTES];
    uint16_t crc = 0xFFFFU;

    for (unsigned i = 0; i < FRAME_BYTES; i++) {
        frame[i] = (uint8_t)(step * 7U + i * 29U);
        crc = (uint16_t)(crc ^ (unsigned)frame[i] << 8);
        for (int bit = 0; bit < 8; bit++) {
            crc = (uint16_t)((unsigned)crc << 1 ^ (0x1021U & (0U - ((unsigned)crc >> 15))));
        }
    }
    for (unsigned i = 0; i < STICKS; i++) {
        unsigned const low = frame[i / 2U * 3U + i % 2U];
        unsigned const high = frame[i / 2U * 3U + i % 2U + 1U];
        unsigned const twelve = i % 2U == 0U ? low | (high & 15U) << 8 : low >> 4 | high << 4;

        stick[i] = (float)((int32_t)twelve - 2048) * (1.0F / 2048.0F);
    }
    step = (step + 1U + (crc & 1U)) % 256U;
}

/* air-data, 20 ms: an alpha-beta filter in fixed point (16 fractional bits). */
void air_data(void)
{
    static uint32_t step;
    static int64_t height; /* mm */
    static int64_t climb;  /* mm a step */
    int64_t const measured = (int64_t)(120000 + triangle(step, 300U, 400)) * 65536;
    int64_t const predicted = height + climb;
    int64_t const surprise = measured - predicted;

    height = predicted + surprise / 65536 * 6554;
    climb += surprise / 65536 * 328;
    height_mm = (int32_t)(height / 65536);
    step++;
}

/* health, 50 ms: a CRC over constants, a bit at a time. */
void health(void)
{
    enum { GUARDED_WORDS = 128 };
    static uint32_t const first_word = 0x9E3779B9U;
    static uint32_t expected;
    uint32_t crc = 0xFFFFFFFFU;

    for (uint32_t i = 0; i < GUARDED_WORDS; i++) {
        crc ^= first_word * (i + 1U); /* a table in flash, on a real aircraft */
        for (int bit = 0; bit < 32; bit++) {
            crc = crc >> 1 ^ (0xEDB88320U & (0U - (crc & 1U)));
        }
    }
    flight_faults += expected != 0U && expected != crc;
    expected = crc;
}

/* ---- bus_time, 20 ms: the table's round follows the bus's time ---------------------------------- */

#if __has_include(<hrl/dispatcher.h>) /* as FreeRTOS has not */
#include <hrl/dispatcher.h>
#include <hrl/interrupt.h>
#include <hrl/time.h>

/*
 * The master's frame says where in its round each computer ought to be. Here the master is a model: its round
 * begins with the first frame, and its clock is 100 ppm faster. The table may preempt this job between the frame
 * and the call, so what has passed meanwhile is added, with interrupts locked.
 */
void bus_time(void)
{
    static uint32_t const round = (uint32_t)HRL_MS(10);
    static hrl_counts first;
    hrl_counts const frame =
        hrl_now(); /* when it came: on a real aircraft, the bus controller tells */
    hrl_counts passed;
    uint32_t position;
    hrl_interrupt_state state;

    first = first == 0U ? frame : first;
    passed = frame - first;
    position = (uint32_t)((passed + passed / 10000U) % round);
    state = hrl_interrupt_lock();
    (void)hrl_dispatcher_synchronise((position + (uint32_t)(hrl_now() - frame)) % round);
    hrl_interrupt_unlock(state);
}
#endif

/* ---- a job of the table has missed its deadline: called by Horolog, at that instant ------------- */

struct hrl_basic;
void hrl_basic_deadline_hook(
    const struct hrl_basic *task); /* hrl/hooks.h, which FreeRTOS has not */

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    (void)task; /* hrl_basic_name tells which it is */
    late_jobs++;
}

/* ---- a job has executed for longer than its budget: called by Horolog, at that instant ----------- */

#if __has_include(<hrl/hooks.h>) /* as FreeRTOS has not */
#include <hrl/hooks.h>

enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task)
{
    (void)task;
    late_jobs++;
    return HRL_BUDGET_END; /* the filter's state is that of the round before, as far as it has come */
}
#endif
