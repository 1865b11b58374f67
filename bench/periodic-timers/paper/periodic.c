/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm.h"
#include "bench_chip.h"
#include "request_queue.h"
#include <avr/interrupt.h>
#include <avr/io.h>

/*
 * The periodic mechanism: every interrupt is a tick, and an alarm is so many ticks (Figure 4a). One alarm is served
 * an interrupt; another that is due at the same tick follows at the next one, unless PAPER_ALL_DUE.
 */
static const volatile uint32_t tick_hz =
    PAPER_TICK_HZ; /* volatile: divided by while the program runs */
static volatile uint32_t ticks;

/* At least one. */
static int32_t ticks_of(uint32_t interval_us)
{
#if PAPER_PUBLISHED
    uint32_t found = (uint32_t)((uint64_t)interval_us * tick_hz / 1000000u);
#else
    uint32_t found = (uint32_t)(((uint64_t)interval_us * PAPER_TICK_HZ + 500000u) / 1000000u);
#endif
    return found != 0 ? (int32_t)found : 1;
}

void alarm_start(struct alarm *alarm, uint32_t interval_us, uint16_t times,
                 void (*handler)(struct alarm *alarm))
{
    alarm->interval = ticks_of(interval_us);
    alarm->times = times;
    alarm->handler = handler;
    request_insert(alarm, alarm->interval);
}

void alarm_start_timer(void)
{
#if PAPER_PUBLISHED
    OCR3A = (uint16_t)(PAPER_CLOCK_HZ / tick_hz);
#else
    OCR3A = (uint16_t)((PAPER_CLOCK_HZ + PAPER_TICK_HZ / 2) / PAPER_TICK_HZ - 1u);
#endif
    TCCR3B = (1u << WGM32) | PAPER_PRESCALER;
    ETIMSK = 1u << OCIE3A;
}

ISR(TIMER3_COMPA_vect)
{
    BENCH_LED_ON();
    ticks++;
    if (request_queue != NULL) {
        request_queue->left--;
#if PAPER_ALL_DUE
        while (request_queue != NULL && request_queue->left <= 0) {
#else
        if (request_queue->left <= 0) {
#endif
            struct alarm *alarm = request_take();
            alarm->handler(alarm);
        }
    }
    BENCH_LED_OFF();
}
