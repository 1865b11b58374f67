/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NRF_RTC_REGISTERS_H
#define HRLP_NRF_RTC_REGISTERS_H

#include "hrlp_board_timers.h" /* which RTC, its line, the source of its clock: the board's */
#include <stdint.h>

/*
 * Nordic's RTC (nRF52840 Product Specification, "RTC"; the nRF51's is the same): a counter of 24 bits that a clock of
 * 32,768 Hz drives, and four comparisons, of RTC0 three. Tasks are started by writing 1. An event is a word of
 * its own, which stays 1 until 0 is written, and is raised only while it is let through: EVTEN lets events through, INTEN
 * their interrupts. The text leaves open whether one of them suffices: both are set. All share one interrupt line.
 *
 * A comparison fires when the counter steps onto it. As two clocks are involved, what is written takes effect late. With
 * the counter at N:
 *
 *   - a comparison with N + 2, or with more, fires; one with N or N + 1 may not, and waits for the wrap then
 *   - where N + 1 or N + 2 stood before, that may fire still
 *
 * The board's header defines HRLP_NRF_RTC_BASE, the address of the RTC's registers, HRLP_NRF_RTC_LINE, the number of its
 * line, HRLP_NRF_RTC_HANDLER, the line's handler, for the tick of FreeRTOS, and HRLP_NRF_RTC_SOURCE, what drives the RTC:
 * 0 is the RC oscillator, 1 the crystal.
 */
#define HRLP_NRF_RTC_START (HRLP_NRF_RTC_BASE + 0x000u)
#define HRLP_NRF_RTC_COMPARED(compare) (HRLP_NRF_RTC_BASE + 0x140u + 4u * (compare)) /* events */
#define HRLP_NRF_RTC_INTENSET (HRLP_NRF_RTC_BASE + 0x304u)
#define HRLP_NRF_RTC_INTENCLR (HRLP_NRF_RTC_BASE + 0x308u)
#define HRLP_NRF_RTC_EVTENSET (HRLP_NRF_RTC_BASE + 0x344u)
#define HRLP_NRF_RTC_EVTENCLR (HRLP_NRF_RTC_BASE + 0x348u)
#define HRLP_NRF_RTC_COUNTER (HRLP_NRF_RTC_BASE + 0x504u)
#define HRLP_NRF_RTC_CC(compare) (HRLP_NRF_RTC_BASE + 0x540u + 4u * (compare))

/* The bit of a comparison in INTENSET, INTENCLR, EVTENSET and EVTENCLR. */
#define HRLP_NRF_RTC_BIT(compare) ((uint32_t)1 << (16u + (compare)))

/* CLOCK, which starts what drives the RTC. */
#define HRLP_NRF_CLOCK_LFCLKSTART 0x40000008u
#define HRLP_NRF_CLOCK_LFCLKSTARTED 0x40000104u
#define HRLP_NRF_CLOCK_LFCLKSRC 0x40000518u

/* How registers are reached. A test has a model of the device behind them (tests/drivers/nrf_rtc). */
#ifndef HRLP_NRF_RTC_LOAD
#define HRLP_NRF_RTC_LOAD(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define HRLP_NRF_RTC_STORE(address, value) (*(volatile uint32_t *)(uintptr_t)(address) = (value))
#endif

enum { HRLP_NRF_RTC_HALF = 2 }; /* the comparison that fires at each half of the counter */
#define HRLP_NRF_RTC_MASK 0xFFFFFFu
#define HRLP_NRF_RTC_HALF_COUNTS ((uint32_t)1 << 23)

/* The nearest comparison, in counts, that is sure to fire. */
#define HRLP_NRF_RTC_NEAREST 2

/*
 * The clock's instant at the beginning of the present half of the counter, or of the one before if the interrupt is still
 * to come; whether that was 2^32 and the kernel has not been told.
 */
struct hrlp_nrf_rtc_clock {
    volatile uint32_t half;
    volatile uint32_t wrapped;
};

extern struct hrlp_nrf_rtc_clock hrlp_nrf_rtc_clock;

/* Starts what drives the RTC, and waits for it: the crystal takes a quarter of a second. Context: start-up. */
static inline void hrlp_nrf_rtc_start_source(void)
{
    HRLP_NRF_RTC_STORE(HRLP_NRF_CLOCK_LFCLKSTARTED, 0);
    HRLP_NRF_RTC_STORE(HRLP_NRF_CLOCK_LFCLKSRC, HRLP_NRF_RTC_SOURCE);
    HRLP_NRF_RTC_STORE(HRLP_NRF_CLOCK_LFCLKSTART, 1);
    while (HRLP_NRF_RTC_LOAD(HRLP_NRF_CLOCK_LFCLKSTARTED) == 0) {
    }
}

/* Lets a comparison's event and its interrupt through, and no more. Context: any. */
static inline __attribute__((always_inline)) void hrlp_nrf_rtc_allow(unsigned compare)
{
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_EVTENSET, HRLP_NRF_RTC_BIT(compare));
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_INTENSET, HRLP_NRF_RTC_BIT(compare));
}

static inline __attribute__((always_inline)) void hrlp_nrf_rtc_forbid(unsigned compare)
{
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_INTENCLR, HRLP_NRF_RTC_BIT(compare));
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_EVTENCLR, HRLP_NRF_RTC_BIT(compare));
}

/*
 * Clears the event of a comparison. It is read back: if the store were still on its way when the handler ends, the line
 * would be up, and the handler entered once more. Context: any.
 */
static inline __attribute__((always_inline)) void hrlp_nrf_rtc_clear_event(unsigned compare)
{
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_COMPARED(compare), 0);
    (void)HRLP_NRF_RTC_LOAD(HRLP_NRF_RTC_COMPARED(compare));
}

#endif
