/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm.h"
#include "bench_chip.h"
#include "request_queue.h"
#include <avr/interrupt.h>
#include <avr/io.h>

/*
 * The single-shot mechanism (Figure 4b): the timer is set for the first alarm; its interrupt promotes all others by
 * the time that has passed, and sets the timer again.
 */
#if PAPER_PUBLISHED

/*
 * As published. The queue is in microseconds. An interrupt sets the counter to 0 and converts what has passed to
 * microseconds and the next interval to counts, a division each; the handler comes last. Two things are taken from the
 * paper's figures, as its text does not say them:
 *
 * - 256 to 320 cycles pass from the compare match to the moment at which the counter is set to 0: at 28,800 Hz one
 *   count more is lost than at 7,200 Hz, and at 115,200 Hz four are. A wait stands for what is done meanwhile.
 * - An interval shorter than 1/7,200 s is that long, and the counter is left alone.
 */
enum { BEFORE_RESET_CYCLES = 190, SHORTEST_US = 139 };
static const volatile struct {
    uint32_t counts,
        microseconds; /* so many of both are the same time; volatile: divided by while the program runs */
} rate = {PAPER_RATE_COUNTS, PAPER_RATE_US};
static uint32_t programmed; /* counts */
static volatile uint32_t now_us;
#if PAPER_HOP_COUNTS
static volatile uint32_t hops, wanted;
#endif

static uint32_t counts_of(uint32_t us)
{
    uint32_t counts = us * rate.counts / rate.microseconds;

    return counts != 0 ? counts : 1;
}

static void program(uint32_t us)
{
    programmed = counts_of(us < SHORTEST_US ? SHORTEST_US : us);
#if PAPER_HOP_COUNTS
    OCR3A = PAPER_HOP_COUNTS;
    wanted = programmed / PAPER_HOP_COUNTS;
    hops = 0;
#else
    OCR3A = (uint16_t)programmed;
#endif
}

static void reset_counter(void)
{
    __builtin_avr_delay_cycles(BEFORE_RESET_CYCLES);
    TCNT3 = 0;
}

void alarm_start(struct alarm *alarm, uint32_t interval_us, uint16_t times,
                 void (*handler)(struct alarm *alarm))
{
    alarm->interval = (int32_t)interval_us;
    alarm->times = times;
    alarm->handler = handler;
    request_insert(alarm, alarm->interval);
}

void alarm_start_timer(void)
{
    program((uint32_t)request_queue->left);
    TCCR3B = (1u << WGM32) | PAPER_PRESCALER;
    ETIMSK = 1u << OCIE3A;
}

static void serve(void)
{
    struct alarm *due = request_queue;

    if (due->interval >= SHORTEST_US) {
        reset_counter();
        now_us += programmed * rate.microseconds / rate.counts;
    }
    due->left = 0;
    (void)request_take();
    if (request_queue != NULL) {
        program((uint32_t)request_queue->left);
    } else {
        ETIMSK = 0;
    }
    due->handler(due);
}

ISR(TIMER3_COMPA_vect)
{
    BENCH_LED_ON();
#if PAPER_HOP_COUNTS
    if (++hops < wanted) {
        reset_counter();
    } else {
        serve();
    }
#else
    serve();
#endif
    BENCH_LED_OFF();
}

#else

/*
 * Without the faults. The queue is in counts, converted when an alarm is started. The counter runs on, and the compare
 * register is moved by what is left, from the last instant, whenever the handler comes; in hops where that is more
 * than the timer can tell from the past.
 */
static uint16_t reached; /* the last instant: of an alarm, or of a hop */

static int32_t counts_of(uint32_t us)
{
    return (int32_t)(((uint64_t)us * PAPER_CLOCK_HZ + 500000u) / 1000000u);
}

static uint16_t next_step(void)
{
#if PAPER_HOP_COUNTS
    if (request_queue->left > (int32_t)PAPER_HOP_COUNTS) {
        return PAPER_HOP_COUNTS;
    }
#endif
    return (uint16_t)request_queue->left;
}

void alarm_start(struct alarm *alarm, uint32_t interval_us, uint16_t times,
                 void (*handler)(struct alarm *alarm))
{
    int32_t counts = counts_of(interval_us);

    alarm->interval = counts != 0 ? counts : 1;
    alarm->times = times;
    alarm->handler = handler;
    request_insert(alarm, alarm->interval);
}

void alarm_start_timer(void)
{
    OCR3A = next_step();
    TCCR3B = PAPER_PRESCALER;
    ETIMSK = 1u << OCIE3A;
}

/* Until nothing is due: an alarm may have become due meanwhile, at which its count had passed before it was set. */
ISR(TIMER3_COMPA_vect)
{
    BENCH_LED_ON();
    do {
        uint16_t step = OCR3A - reached;

        reached = OCR3A;
        request_queue->left -= step;
        while (request_queue != NULL && request_queue->left <= 0) {
            struct alarm *due = request_take();

            due->handler(due);
        }
        if (request_queue == NULL) {
            ETIMSK = 0;
            break;
        }
        OCR3A = reached + next_step();
        ETIFR = 1u << OCF3A;
    } while ((uint16_t)(TCNT3 - reached) >= (uint16_t)(OCR3A - reached));
    BENCH_LED_OFF();
}

#endif
