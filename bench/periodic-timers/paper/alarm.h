/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PAPER_ALARM_H
#define PAPER_ALARM_H

#include <stdint.h>

/*
 * The two timing mechanisms of Periodic Timers Revisited (section 3), written anew from its description: alarms in a
 * relative queue, served by timer 3 of an ATmega128, which interrupts periodically (periodic.c) or for the next alarm
 * only (single_shot.c).
 *
 * Each has two editions. PAPER_PUBLISHED 1 does what the published figures show: the compare register holds the
 * number of counts instead of one less, time that the handler has taken before it sets the timer again is lost, and
 * intervals are converted by division while the program runs. PAPER_PUBLISHED 0 is the same mechanism without these
 * three faults; an interval is rounded to the nearest whole count in both.
 *
 * How a program is compiled:
 *   PAPER_CLOCK_HZ     the timer's counts a second, and
 *   PAPER_PRESCALER    its CS bits
 *   PAPER_TICK_HZ      periodic.c: interrupts a second
 *   PAPER_ALL_DUE 1    periodic.c: an interrupt serves all alarms that are due (Table 4), not one
 *   PAPER_HOP_COUNTS   single_shot.c: counts between interrupts that are counted by software (the paper's MAX.PERIOD);
 *                      0: the timer itself reaches every interval
 */
struct alarm {
    struct alarm *next;
    int32_t
        left; /* behind the one before, or from the last interrupt: ticks, microseconds or counts */
    int32_t interval; /* in the same unit */
    uint16_t times;   /* how often it is to go off; 0: for ever */
    void (*handler)(struct alarm *alarm);
};

enum { ALARM_FOR_EVER = 0 };

/* Starts an alarm: its handler is called in the timer's interrupt, `times` times. Context: interrupts off. */
void alarm_start(struct alarm *alarm, uint32_t interval_us, uint16_t times,
                 void (*handler)(struct alarm *alarm));

/* Starts the timer. Call it once, after the first alarm was started. Context: interrupts off. */
void alarm_start_timer(void);

#endif
