/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_AVR_TIMER16_H
#define HRLP_AVR_TIMER16_H

#include "avr_timer16.h"
#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"

/*
 * A compare channel of a 16-bit timer as a cell: channels 0 to 2 are A to C of timer 1, 4 to 6 those of timer 3.
 * Channel 3 is the clock, for its acknowledge only.
 *
 * The flag rises when the timer goes on from the number that it is compared with, so this is one less than the instant.
 * Entering the handler clears the flag. Periods are added by software, to the instant before, so that they do
 * not drift and no timer has to be set.
 */
enum { HRLP_AVR_TIMER16_CLOCK = 3 };

/*
 * How late. The flag rises at the count of the instant that the cell was given; where that is past when it is armed,
 * within LATE_COUNTS of the reading that finds it, or of LATE_CYCLES where these are more. The handler enters 11 cycles
 * later if the processor sleeps (4, 4 to wake up, 3 for the jump of the vector), and within 16 if an instruction has to
 * end before. All together: LATE_COUNTS, and LATE_CYCLES behind them.
 */
#define HRLP_AVR_TIMER16_LATE_COUNTS 2u
#define HRLP_AVR_TIMER16_LATE_CYCLES 48u

/*
 * Of periodic cells, counts; 0: the cell interrupts once. 65,536 is 0, and is not offered. Not an array, as an image has
 * those of the channels that it uses.
 */
extern uint16_t hrlp_avr_timer16_period_0, hrlp_avr_timer16_period_1, hrlp_avr_timer16_period_2,
    hrlp_avr_timer16_period_4, hrlp_avr_timer16_period_5, hrlp_avr_timer16_period_6;

static inline __attribute__((always_inline)) uint16_t *hrlp_avr_timer16_period(unsigned channel)
{
    return channel == 0u   ? &hrlp_avr_timer16_period_0
           : channel == 1u ? &hrlp_avr_timer16_period_1
           : channel == 2u ? &hrlp_avr_timer16_period_2
           : channel == 4u ? &hrlp_avr_timer16_period_4
           : channel == 5u ? &hrlp_avr_timer16_period_5
                           : &hrlp_avr_timer16_period_6;
}

#ifdef TIFR1 /* timers with registers of their own: the ATmega328P and most newer ones */
#define HRLP_AVR_TIMER16_MASK(channel) TIMSK1
#define HRLP_AVR_TIMER16_FLAG(channel) TIFR1
#define HRLP_AVR_TIMER16_BIT(channel) (1u << (OCIE1A + (channel)))
#else /* the ATmega128: A and B of timer 1 in the old registers, all others in the extended ones */
#define HRLP_AVR_TIMER16_IS_OLD(channel) ((channel) < 2u)
#define HRLP_AVR_TIMER16_MASK(channel) (*(HRLP_AVR_TIMER16_IS_OLD(channel) ? &TIMSK : &ETIMSK))
#define HRLP_AVR_TIMER16_FLAG(channel) (*(HRLP_AVR_TIMER16_IS_OLD(channel) ? &TIFR : &ETIFR))
#define HRLP_AVR_TIMER16_BIT(channel)                                                              \
    ((channel) == 0u   ? 1u << OCIE1A                                                              \
     : (channel) == 1u ? 1u << OCIE1B                                                              \
     : (channel) == 2u ? 1u << OCIE1C                                                              \
     : (channel) == 4u ? 1u << OCIE3A                                                              \
     : (channel) == 5u ? 1u << OCIE3B                                                              \
                       : 1u << OCIE3C)
#endif

static inline __attribute__((always_inline)) volatile uint16_t *
hrlp_avr_timer16_compare(unsigned channel)
{
#ifdef OCR3A
    if (channel >= 4u) {
        return channel == 4u ? &OCR3A : channel == 5u ? &OCR3B : &OCR3C;
    }
#endif
#ifdef OCR1C
    if (channel == 2u) {
        return &OCR1C;
    }
#endif
    return channel == 0u ? &OCR1A : &OCR1B;
}

/* How far timer 3 is behind timer 1: they start a store one after the other, of two cycles. */
static inline __attribute__((always_inline)) uint16_t hrlp_avr_timer16_behind(unsigned channel)
{
    return channel >= 4u && HRL_BOARD_CLOCK_PRESCALER == 1 ? 2u : 0u;
}

static inline __attribute__((always_inline)) void hrlp_avr_timer16_allow(unsigned channel)
{
    HRLP_AVR_TIMER16_MASK(channel) |= (uint8_t)HRLP_AVR_TIMER16_BIT(channel);
}

static inline __attribute__((always_inline)) void hrlp_avr_timer16_halt(unsigned channel)
{
    HRLP_AVR_TIMER16_MASK(channel) &= (uint8_t)~HRLP_AVR_TIMER16_BIT(channel);
}

/* Forgets what the cell has raised. A flag is cleared by writing 1; the flag's bits are where those of the mask are. */
static inline __attribute__((always_inline)) void hrlp_avr_timer16_forget(unsigned channel)
{
    HRLP_AVR_TIMER16_FLAG(channel) = (uint8_t)HRLP_AVR_TIMER16_BIT(channel);
}

static inline void hrlp_avr_timer16_prepare(unsigned channel, unsigned priority)
{
    (void)channel; /* arming lets it through */
    (void)priority;
}

/* Its handler cannot be interrupted; it raises lines, which have levels. */
static inline void hrlp_avr_timer16_prepare_at(unsigned channel, unsigned level)
{
    hrlp_avr_timer16_prepare(channel, level);
}

static inline __attribute__((always_inline)) int32_t hrlp_avr_timer16_match(unsigned channel,
                                                                            hrl_stamp due)
{
    *hrlp_avr_timer16_period(channel) = 0;
    *hrlp_avr_timer16_compare(channel) = (uint16_t)(due - 1u - hrlp_avr_timer16_behind(channel));
    hrlp_avr_timer16_forget(channel);
    hrlp_avr_timer16_allow(channel);
    return hrlp_cell_left(due, 0);
}

/*
 * Fires at the next count, if the timer has not stepped between the reading and the store; where a count is shorter
 * than that, some counts later.
 */
static inline __attribute__((always_inline)) void hrlp_avr_timer16_soon(unsigned channel)
{
    volatile uint16_t *compare = hrlp_avr_timer16_compare(channel);
    const uint16_t ahead = HRL_BOARD_CLOCK_PRESCALER == 1   ? 12u
                           : HRL_BOARD_CLOCK_PRESCALER == 8 ? 2u
                                                            : 0u;
    uint16_t now;

    do {
        now = TCNT1;
        *compare = now + ahead - hrlp_avr_timer16_behind(channel);
    } while (ahead == 0 && TCNT1 != now);
}

HRLP_CELL_ARM_MATCH(hrlp_avr_timer16, 1)
HRLP_CELL_REARM_IS_ARM(hrlp_avr_timer16)

/* The cell has been armed before: it has no period. */
static inline __attribute__((always_inline)) void
hrlp_avr_timer16_arm_near(unsigned channel, uint16_t now, uint16_t left)
{
    uint16_t match;

    __asm__(
        ""
        : "+r"(
            left)); /* else the compiler keeps what this is a difference of, in two more registers */
    match = (uint16_t)(now + left - 1u - hrlp_avr_timer16_behind(channel));
    *hrlp_avr_timer16_compare(channel) = match;
    hrlp_avr_timer16_forget(channel);
    hrlp_avr_timer16_allow(channel);
    if ((int16_t)(match - TCNT1 + hrlp_avr_timer16_behind(channel)) < 0) {
        hrlp_avr_timer16_soon(channel);
    }
}

static inline __attribute__((always_inline)) void hrlp_avr_timer16_disarm(unsigned channel)
{
    hrlp_avr_timer16_halt(channel);
}

/*
 * Whether the next instant of a cell with the period has passed, too: nothing comes then for 2^16 counts. What is ahead
 * is below the period, or, after an interrupt that came twice, below 2^15; the rest of 2^16 is behind.
 */
static inline __attribute__((always_inline)) bool hrlp_avr_timer16_is_late(unsigned channel,
                                                                           uint16_t period)
{
    return (uint16_t)(*hrlp_avr_timer16_compare(channel) + hrlp_avr_timer16_behind(channel) -
                      TCNT1) >= (period > 0x8000u ? period : 0x8000u);
}

static inline __attribute__((always_inline)) void hrlp_avr_timer16_acknowledge(unsigned channel)
{
    uint16_t period;

    if (channel == HRLP_AVR_TIMER16_CLOCK) {
        hrlp_avr_timer16.wrapped = 0;
        return;
    }
    period = *hrlp_avr_timer16_period(channel);
    if (__builtin_expect(period != 0, 0)) {
        do { /* again after a handler that is late by periods: the timer is behind the comparison */
            *hrlp_avr_timer16_compare(channel) += period;
        } while (hrlp_avr_timer16_is_late(channel, period));
    } else {
        hrlp_avr_timer16_halt(channel); /* else it would come again after 2^16 counts */
    }
}

static inline void hrlp_avr_timer16_start_periodic(unsigned channel, hrl_stamp first,
                                                   uint32_t period)
{
    hrlp_irq_state state = hrlp_irq_lock();

    (void)hrlp_avr_timer16_match(channel, first);
    *hrlp_avr_timer16_period(channel) = (uint16_t)period;
    hrlp_irq_unlock(state);
}

/*
 * The last instant that has come, of a cell with the period, which is below 2^15 counts; an interrupt may wait.
 * Context: interrupts masked.
 */
static inline hrl_stamp hrlp_avr_timer16_last(unsigned channel, uint16_t period)
{
    hrl_stamp now = hrlp_clock_read_masked();
    uint16_t ahead = (uint16_t)(*hrlp_avr_timer16_compare(channel) + 1u +
                                hrlp_avr_timer16_behind(channel) - (uint16_t)now);

    return now + (hrl_stamp)(int32_t)(int16_t)ahead - period;
}

/*
 * The cell's next instant is so much later, as the one before it has passed. An interrupt that this one has raised
 * meanwhile is forgotten, or it would count for the next. Context: the cell's handler, which then asks whether that
 * has passed, too.
 */
static inline __attribute__((always_inline)) void hrlp_avr_timer16_advance(unsigned channel,
                                                                           uint16_t period)
{
    *hrlp_avr_timer16_compare(channel) += period;
    hrlp_avr_timer16_forget(channel);
}

/*
 * is_late of a cell with a handler that counts, which comes once an instant: what is ahead is at most `longest`. So it
 * finds every instant that is late by less than 2^16 counts less that.
 */
static inline __attribute__((always_inline)) bool hrlp_avr_timer16_is_behind(unsigned channel,
                                                                             uint16_t longest)
{
    return (uint16_t)(*hrlp_avr_timer16_compare(channel) + hrlp_avr_timer16_behind(channel) -
                      TCNT1) >= longest;
}

/* The address of the comparison, and of the count, of timers 1 and 3. */
#ifdef OCR3A
#define HRLP_AVR_TIMER16_COMPARE(channel)                                                          \
    ((channel) == 0   ? _SFR_MEM_ADDR(OCR1A)                                                       \
     : (channel) == 1 ? _SFR_MEM_ADDR(OCR1B)                                                       \
     : (channel) == 2 ? _SFR_MEM_ADDR(OCR1C)                                                       \
     : (channel) == 4 ? _SFR_MEM_ADDR(OCR3A)                                                       \
     : (channel) == 5 ? _SFR_MEM_ADDR(OCR3B)                                                       \
                      : _SFR_MEM_ADDR(OCR3C))
#define HRLP_AVR_TIMER16_COUNT(channel)                                                            \
    ((channel) < 4 ? _SFR_MEM_ADDR(TCNT1) : _SFR_MEM_ADDR(TCNT3))
#else
#define HRLP_AVR_TIMER16_COMPARE(channel)                                                          \
    ((channel) == 0 ? _SFR_MEM_ADDR(OCR1A) : _SFR_MEM_ADDR(OCR1B))
#define HRLP_AVR_TIMER16_COUNT(channel) _SFR_MEM_ADDR(TCNT1)
#endif

/*
 * The entry of a periodic cell's handler `name` that counts (kernel/sync/counting.h, kernel/basic/counted_table.h):
 * moves the comparison on by the period, and subtracts `step` from `left`. If that is borrowed the handler is `due`; if
 * the next instant has passed, too, it is `late`. What it has saved by then is the beginning of what HRLP_CPU_ENTRY
 * saves.
 */
#define hrlp_avr_timer16_COUNTING_ENTRY(name, due, late, channel, period, left, step)              \
    void name##_entry(void);                                                                       \
    __attribute__((naked, used)) void name##_entry(void)                                           \
    {                                                                                              \
        __asm__ volatile(                                                                          \
            HRLP_AVR_TIMER16_SAVE                                                                  \
            "lds r18, %0\n\tlds r19, %0 + 1\n\t"                                                   \
            "subi r18, lo8(-(%3))\n\tsbci r19, hi8(-(%3))\n\t" HRLP_AVR_TIMER16_COUNT_ENTRY(due,   \
                                                                                            late)  \
            :                                                                                      \
            : "n"(HRLP_AVR_TIMER16_COMPARE(channel)), "n"(HRLP_AVR_TIMER16_COUNT(channel)),        \
              "i"(&(left)), "n"(period), "n"(step), "n"(period));                                  \
    }

/*
 * The same where an interval is a count longer each time that `part` is borrowed from `parts`, which `of` is added to
 * then.
 */
#define hrlp_avr_timer16_PARTS_ENTRY(name, due, late, channel, period, left, step, parts, part,    \
                                     of)                                                           \
    void name##_entry(void);                                                                       \
    __attribute__((naked, used)) void name##_entry(void)                                           \
    {                                                                                              \
        __asm__ volatile(                                                                          \
            HRLP_AVR_TIMER16_SAVE                                                                  \
            "lds r18, %6\n\tlds r19, %6 + 1\n\t"                                                   \
            "subi r18, lo8(%7)\n\tsbci r19, hi8(%7)\n\tbrcc 3f\n\t"                                \
            "subi r18, lo8(-(%8))\n\tsbci r19, hi8(-(%8))\n\t"                                     \
            "sts %6 + 1, r19\n\tsts %6, r18\n\t"                                                   \
            "lds r18, %0\n\tlds r19, %0 + 1\n\t"                                                   \
            "subi r18, lo8(-(%5))\n\tsbci r19, hi8(-(%5))\n\trjmp 4f\n"                            \
            "3:\tsts %6 + 1, r19\n\tsts %6, r18\n\t"                                               \
            "lds r18, %0\n\tlds r19, %0 + 1\n\t"                                                   \
            "subi r18, lo8(-(%3))\n\tsbci r19, hi8(-(%3))\n4:\t" HRLP_AVR_TIMER16_COUNT_ENTRY(     \
                due, late)                                                                         \
            :                                                                                      \
            : "n"(HRLP_AVR_TIMER16_COMPARE(channel)), "n"(HRLP_AVR_TIMER16_COUNT(channel)),        \
              "i"(&(left)), "n"(period), "n"(step), "n"((period) + 1u), "i"(&(parts)), "n"(part),  \
              "n"(of));                                                                            \
    }

#define HRLP_AVR_TIMER16_SAVE                                                                      \
    "push r0\n\tin r0, __SREG__\n\tpush r0\n\tpush r1\n\tpush r18\n\tpush r19\n\t"

/* Behind the new comparison in r18 and r19; %5 is the longest interval. */
#define HRLP_AVR_TIMER16_COUNT_ENTRY(due, late)                                                    \
    "sts %0 + 1, r19\n\tsts %0, r18\n\t"                                                           \
    "lds r0, %1\n\tsub r18, r0\n\tlds r0, %1 + 1\n\tsbc r19, r0\n\t"                               \
    "subi r18, lo8(%5)\n\tsbci r19, hi8(%5)\n\t"                                                   \
    "lds r18, %2\n\tlds r19, %2 + 1\n\t"                                                           \
    "brcc 2f\n\t"                                                                                  \
    "subi r18, lo8(%4)\n\tsbci r19, hi8(%4)\n\t"                                                   \
    "sts %2 + 1, r19\n\tsts %2, r18\n\tbrcs 1f\n\t"                                                \
    "pop r19\n\tpop r18\n\tpop r1\n\tpop r0\n\t"                                                   \
    "out __SREG__, r0\n\tpop r0\n\treti\n"                                                         \
    "1:\t" HRLP_AVR_ENTRY_REST(due) "\n2:\tsubi r18, lo8(%4)\n\tsbci r19, hi8(%4)\n\t"             \
                                    "sts %2 + 1, r19\n\tsts %2, r18\n\t" HRLP_AVR_ENTRY_REST(late)

static inline void hrlp_avr_timer16_put_off(unsigned channel, hrl_stamp due)
{
    (void)due;
    if ((HRLP_AVR_TIMER16_FLAG(channel) & HRLP_AVR_TIMER16_BIT(channel)) == 0) {
        (*hrlp_avr_timer16_compare(channel))++; /* else it is over, and would end a second time */
    }
}

HRLP_CELL_STRETCH_BY_PUTTING_OFF(hrlp_avr_timer16)

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_avr_timer16)

#endif
