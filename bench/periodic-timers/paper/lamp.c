/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm.h"
#include "bench_lamp.h"
#include <avr/interrupt.h>

/* Figure 9 of the paper. Its thread is all that runs beside the alarm, so here it is the main program. */
static struct alarm alarm;

static void change(struct alarm *self)
{
    (void)self;
    bench_lamp_change();
}

int main(void)
{
    alarm_start(&alarm, BENCH_PERIOD_US, ALARM_FOR_EVER, change);
    alarm_start_timer();
    sei();
    bench_lamp_glow();
}
