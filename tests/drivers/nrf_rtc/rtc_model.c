/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "rtc_model.h"
#include <stdlib.h>

enum { BASE = 0x40011000, COMPARES = 4, KEPT = 8, MASK = 0xFFFFFF, SURE = 2 };

/* A number that stands, or stood, in a comparison, and the counts at which it came and went. */
struct number {
    uint32_t value;
    uint64_t from, to;
};

static struct {
    uint64_t parts, counts;
    uint32_t first;
    uint64_t chance;
    unsigned most, jump;
    bool runs, source_runs;
    uint32_t source, interrupts, let_through;
    bool events[COMPARES];
    struct number numbers[COMPARES][KEPT]; /* the present one first */
} rtc;

uint32_t rtc_chance(uint32_t below)
{
    /* xorshift64, after Marsaglia. */
    rtc.chance ^= rtc.chance << 13;
    rtc.chance ^= rtc.chance >> 7;
    rtc.chance ^= rtc.chance << 17;
    return (uint32_t)(rtc.chance >> 32) % below;
}

void rtc_reset(uint32_t counter, uint64_t seed)
{
    rtc.parts = rtc.counts = 0;
    rtc.first = counter;
    rtc.chance = seed;
    rtc.runs = rtc.source_runs = false;
    rtc.source = rtc.interrupts = rtc.let_through = 0;
    for (unsigned compare = 0; compare < COMPARES; compare++) {
        rtc.events[compare] = false;
        for (unsigned at = 0; at < KEPT; at++) {
            rtc.numbers[compare][at] = (struct number){0, 0, 0};
        }
    }
    rtc_set_pace(1, 1);
}

void rtc_set_pace(unsigned most, unsigned jump)
{
    rtc.most = most;
    rtc.jump = jump;
}

static uint32_t counter(void)
{
    return (uint32_t)(rtc.first + rtc.counts) & MASK;
}

/* Whether a comparison with `number` fires, now that the counter has stepped onto it. */
static bool fires(const struct number *number, bool is_present)
{
    if (number->value != counter()) {
        return false;
    }
    if (is_present) {
        return rtc.counts >= number->from + SURE || rtc_chance(2) == 0;
    }
    return rtc.counts <= number->to + SURE && rtc_chance(2) == 0;
}

static void step(void)
{
    rtc.counts++;
    for (unsigned compare = 0; compare < COMPARES; compare++) {
        for (unsigned at = 0; at < KEPT; at++) {
            if (fires(&rtc.numbers[compare][at], at == 0) &&
                ((rtc.interrupts & rtc.let_through) >> (16 + compare) & 1u) != 0) {
                rtc.events[compare] = true;
            }
        }
    }
}

bool rtc_is_up(void)
{
    for (unsigned compare = 0; compare < COMPARES; compare++) {
        if (rtc.events[compare] && (rtc.interrupts >> (16 + compare) & 1u) != 0) {
            return true;
        }
    }
    return false;
}

void rtc_pass(uint64_t parts, bool until_up)
{
    uint64_t end = rtc.parts + parts;

    while (rtc.runs && rtc.parts < end && !(until_up && rtc_is_up())) {
        uint64_t next = (rtc.counts + 1) * RTC_PARTS;

        rtc.parts = next < end ? next : end;
        if (rtc.parts == next) {
            step();
        }
    }
}

uint64_t rtc_counts(void)
{
    return rtc.counts;
}

static void take_time(void)
{
    rtc_pass(rtc_chance(rtc_chance(8) == 0 ? rtc.jump : rtc.most), false);
}

static unsigned compare_of(uint32_t address, uint32_t first)
{
    return (address - first) / 4u;
}

uint32_t rtc_load(uint32_t address)
{
    take_time();
    switch (address) {
    case BASE + 0x140:
    case BASE + 0x144:
    case BASE + 0x148:
    case BASE + 0x14c:
        return rtc.events[compare_of(address, BASE + 0x140)];
    case BASE + 0x304:
        return rtc.interrupts;
    case BASE + 0x504:
        return counter();
    case 0x40000104:
        return rtc.source_runs && rtc_chance(4) == 0;
    default:
        abort(); /* a register that the driver has no business with */
    }
}

static void write_number(unsigned compare, uint32_t value)
{
    struct number *numbers = rtc.numbers[compare];

    for (unsigned at = KEPT - 1; at > 0; at--) {
        numbers[at] = numbers[at - 1];
    }
    numbers[1].to = rtc.counts;
    numbers[0] = (struct number){value & MASK, rtc.counts, 0};
}

void rtc_store(uint32_t address, uint32_t value)
{
    take_time();
    switch (address) {
    case BASE:
        if (!rtc.source_runs || rtc.source != 1) {
            abort(); /* nothing drives it */
        }
        rtc.runs = true;
        break;
    case BASE + 0x140:
    case BASE + 0x144:
    case BASE + 0x148:
    case BASE + 0x14c:
        if (value != 0) {
            abort(); /* what a 1 does is not specified */
        }
        rtc.events[compare_of(address, BASE + 0x140)] = false;
        break;
    case BASE + 0x304:
        rtc.interrupts |= value;
        break;
    case BASE + 0x308:
        rtc.interrupts &= ~value;
        break;
    case BASE + 0x344:
        rtc.let_through |= value;
        break;
    case BASE + 0x348:
        rtc.let_through &= ~value;
        break;
    case BASE + 0x540:
    case BASE + 0x544:
    case BASE + 0x548:
    case BASE + 0x54c:
        write_number(compare_of(address, BASE + 0x540), value);
        break;
    case 0x40000008:
        rtc.source_runs = true;
        break;
    case 0x40000104:
        break;
    case 0x40000518:
        rtc.source = value;
        break;
    default:
        abort();
    }
}
