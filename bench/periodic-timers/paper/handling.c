/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm.h"
#include "bench_chip.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

/* Table 3 of the paper: what an interrupt takes, of an alarm of BENCH_PERIOD_US that goes off 100 times. */
static struct alarm alarm;
static volatile uint8_t count;

static void handler(struct alarm *self)
{
    (void)self;
    count++;
}

int main(void)
{
    DDRB = 1;
    alarm_start(&alarm, BENCH_PERIOD_US, ALARM_FOR_EVER, handler);
    alarm_start_timer();
    sei();
    while (count < 100) {
        sleep_mode();
    }
    BENCH_EXIT = 0;
}
