/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm.h"
#include "bench_chip.h"
#include <avr/interrupt.h>
#include <avr/sleep.h>

/* Figure 7 of the paper: an alarm goes off 11 times, which are 10 intervals. BENCH_PERIOD_US is its period. */
static struct alarm alarm;
static volatile uint8_t count;

static void handler(struct alarm *self)
{
    (void)self;
    BENCH_MARK(1);
    count++;
}

int main(void)
{
    alarm_start(&alarm, BENCH_PERIOD_US, 11, handler);
    alarm_start_timer();
    sei();
    while (count < 11) {
        sleep_mode();
    }
    BENCH_EXIT = 0;
}
