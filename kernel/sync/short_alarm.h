/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SHORT_ALARM_H
#define HRLI_SHORT_ALARM_H

#include "alarm_elsewhere.h"
#include "one_shot_nodes.h"
#include "wait.h"
#include <hrl/alarm.h>

/*
 * The usual expiry of an alarm, in a few steps: for processors on which 32 bits are many instructions, and each
 * call is dear (HRLP_CPU_SHORTENS_ALARMS). What is not usual is left as it was found, to the general code
 * (alarm.c, one_shot_nodes.h).
 *
 * An alarm is short, as its node's state says, if it runs for ever, with a period below 2^30 counts, and a fraction,
 * if any, of a denominator of 15 bits in its lowest terms.
 *
 * The first node of the store is near if it was ahead by at most `span` counts when it became that, or was looked at
 * last: then the clock's lower 16 bits tell whether it is due. An interrupt that is late by 2^16 counts and more is
 * taken for one that is in time; what is due besides is found when the cell is armed.
 */
struct hrli_short_alarms {
    bool is_near; /* code that makes another node the first forgets it */
};

#define HRLI_SHORT_DENOMINATOR 0x7FFFu

/* The state of a short alarm's node: this, and what more is known. */
enum {
    HRLI_TIMEOUT_PARTS = 1, /* its period has a fraction */
    HRLI_TIMEOUT_CALLS = 2, /* it calls a function (hrli_alarm_call) */
    HRLI_TIMEOUT_FAR = 8,   /* its period has more than 16 bits */
};

/* What the short way is made of; constants that are known at compile time cost nothing. */
struct hrli_short_parts {
    const struct hrli_one_shot_parts *timeouts;
    struct hrli_short_alarms *alarms;
    /* Gives the first node a key that is `counts` later, if it stays the first; else false. */
    bool (*stay)(struct hrli_queue_node *first, uint32_t counts);
    void (*put_off)(struct hrli_queue_node *first, hrl_stamp key); /* always */
    void (*arm_near)(uint16_t now, uint16_t left);                 /* the cell's */
};

/* Acts on the expiries that others owe by an action (alarm.c). Context: the store's owner, acting. */
static inline __attribute__((always_inline)) void hrli_alarm_pay(void)
{
    struct hrl_alarm *alarm;

    while ((alarm = hrli_core.alarms.owing) != NULL) {
        uint32_t expiries;

        hrli_core.alarms.owing = alarm->next_owed;
        alarm->in_list = false;
        expiries = hrli_alarm_is_asked(alarm) ? 0 : alarm->owed;
        HRLP_SHOW(alarm->owed, 0u);
        if (expiries != 0) { /* not stopped since it was taken out */
            alarm->act(alarm, expiries);
        }
    }
}

/* The same out of line. */
void hrli_short_alarm_pay(void);

/*
 * Takes the fraction of the period in its lowest terms, if that makes it one of a short alarm. Cost: some twenty
 * divisions at most, by Euclid.
 */
void hrli_short_alarm_reduce(struct hrli_period *period);

/* An alarm is being started: it has its period. */
static inline void hrli_short_alarm_prepare(struct hrl_alarm *alarm)
{
    if (HRLP_CPU_SHORTENS_ALARMS) {
        hrli_short_alarm_reduce(&alarm->period);
    }
}

/* The alarm is in the store from now on. */
static inline void hrli_short_alarm_note(struct hrl_alarm *alarm)
{
    if (HRLP_CPU_SHORTENS_ALARMS) {
        const struct hrli_period *period = &alarm->period;
        bool is_short = alarm->left == 0 && alarm->hops == 0 && period->hops == 0 &&
                        (period->numerator == 0 || period->denominator <= HRLI_SHORT_DENOMINATOR);

        uint8_t state = HRLI_TIMEOUT_SHORT;

        state |= period->numerator != 0 ? HRLI_TIMEOUT_PARTS : 0;
        state |= alarm->act == hrli_alarm_call ? HRLI_TIMEOUT_CALLS : 0;
        state |= period->counts >= UINT16_MAX ? HRLI_TIMEOUT_FAR : 0; /* it may be a count longer */
        alarm->timeout.state = is_short ? state : HRLI_TIMEOUT_NONE;
    }
}

/* Adds the fraction of `period`, in 16 bits, to what has accumulated, and what that carries to the counts. */
static inline __attribute__((always_inline)) uint32_t
hrli_short_alarm_counts(struct hrli_period *period, uint32_t counts)
{
    uint16_t sum = (uint16_t)((uint16_t)period->accumulated + (uint16_t)period->numerator);
    uint16_t denominator = (uint16_t)period->denominator;

    if (sum >= denominator) {
        sum = (uint16_t)(sum - denominator);
        counts++;
    }
    hrlp_cpu_store_low(&period->accumulated, sum);
    return counts;
}

/* Does the action. Context: the store's owner. */
static inline __attribute__((always_inline)) void hrli_short_alarm_act(struct hrl_alarm *alarm,
                                                                       uint8_t state)
{
    hrli_core.alarms.acting = true;
    if ((state & HRLI_TIMEOUT_CALLS) != 0) {
        alarm->function(alarm->argument, 1);
    } else {
        alarm->act(alarm, 1);
    }
    if (__builtin_expect(hrli_core.alarms.owing != NULL, 0)) {
        hrli_short_alarm_pay();
    }
    hrli_core.alarms.acting = false;
}

/* Whether the first node is within reach, and ahead; how far. Context: the store's owner, interrupts masked. */
static inline __attribute__((always_inline)) bool
hrli_short_alarm_is_near(const struct hrli_one_shot_parts *timeouts, uint16_t *now, uint16_t *left)
{
    const struct hrli_queue_node *first = timeouts->store->first(timeouts->queue);
    hrl_stamp clock, ahead;

    if (first == NULL) {
        return false;
    }
    clock = hrlp_clock_read_masked();
    ahead = first->key - clock;
    *now = (uint16_t)clock;
    *left = (uint16_t)ahead;
    return ahead <= UINT16_MAX && (uint16_t)(*left - 1u) < (uint16_t)timeouts->span;
}

/* Arms the cell for the first node, if it is near; else false. Context: the cell's handler. */
static inline __attribute__((always_inline)) bool
hrli_short_alarm_arm(const struct hrli_short_parts *parts)
{
    uint16_t now, left;

    if (!hrli_short_alarm_is_near(parts->timeouts, &now, &left)) {
        return false;
    }
    parts->alarms->is_near = true;
    parts->arm_near(now, left);
    return true;
}

/*
 * hrli_one_shot_nodes_interrupt for the usual case: one short alarm is due, and the next time-out is near. False: what
 * is left is to be served; `moved` does all that for an alarm that does not stay the first. Actions ask for a
 * dispatch themselves. Context: the cell's handler, acknowledged, interrupts masked.
 */
static inline __attribute__((always_inline)) bool
hrli_short_alarm_interrupt(const struct hrli_short_parts *parts,
                           void (*moved)(struct hrl_alarm *alarm, uint32_t counts))
{
    struct hrli_queue_node *first;
    struct hrl_alarm *alarm;
    uint32_t counts;
    uint16_t late;
    uint8_t state;

    if (parts->timeouts->releaser->busy || !parts->alarms->is_near) {
        return false;
    }
    first = parts->timeouts->store->first(parts->timeouts->queue);
    if (first == NULL) {
        __builtin_unreachable(); /* it is near */
    }
    alarm = (struct hrl_alarm *)first;
    late =
        (uint16_t)(hrlp_clock_read_low() + HRLP_CELL_EARLY_COUNTS - hrlp_cpu_load_low(&first->key));
    state = alarm->timeout.state;
    if (state < HRLI_TIMEOUT_SHORT || late > INT16_MAX) { /* or it is not due */
        return false;
    }
    counts = alarm->period.counts;
    if (__builtin_expect((uint16_t)(counts >> 16) == 0, 1) &&
        (uint16_t)counts <= late) { /* the next is due, too */
        return false;
    }
    if ((state & HRLI_TIMEOUT_PARTS) != 0) {
        counts = hrli_short_alarm_counts(&alarm->period, counts);
    }
    if (!parts->stay(first, counts)) {
        moved(alarm, counts);
        return true;
    }
    hrli_short_alarm_act(alarm, state);
    return hrli_short_alarm_arm(parts);
}

/* The `moved` of that function; `rest` serves what is left. */
static inline __attribute__((always_inline)) void
hrli_short_alarm_move(const struct hrli_short_parts *parts, struct hrl_alarm *alarm,
                      uint32_t counts, void (*rest)(void))
{
    parts->put_off(&alarm->timeout.node, alarm->timeout.node.key + counts);
    hrli_short_alarm_act(alarm, alarm->timeout.state);
    if (!hrli_short_alarm_arm(parts)) {
        rest();
    }
}

/* After the general code has served and armed. Context: the cell's handler, interrupts masked. */
static inline __attribute__((always_inline)) void
hrli_short_alarm_look(const struct hrli_short_parts *parts)
{
    uint16_t now, left;

    parts->alarms->is_near = !parts->timeouts->releaser->busy && /* else the store is a thread's */
                             hrli_short_alarm_is_near(parts->timeouts, &now, &left);
}

#endif
