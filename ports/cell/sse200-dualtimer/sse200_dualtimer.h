/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SSE200_DUALTIMER_REGISTERS_H
#define HRLP_SSE200_DUALTIMER_REGISTERS_H

#include "hrlp_per_core.h"
#include <stdint.h>

/*
 * The dual timer of Arm's SSE-200, the CMSDK's (Arm DDI 0479, 3.6), at its Secure address: two down-counters of 32 bits on
 * one interrupt line, of both cores.
 *
 * Its second channel is the clock of all cores. A wrap raises the line on each core, and each counts the wraps for itself.
 * Whether a core still owes one cannot be the device's flag, as the first core that clears it clears it for all. So the
 * first channel says it: it counts as the clock does, but behind the prescaler of 256, so that eight of its bits are the
 * lower eight of the number of wraps.
 */
struct hrlp_sse200_dualtimer_channel {
    volatile uint32_t load; /* writing sets the counter too */
    volatile uint32_t value;
    volatile uint32_t control;
    volatile uint32_t clear;
    volatile uint32_t reserved[4];
};

#define HRLP_SSE200_DUALTIMER(channel)                                                             \
    ((struct hrlp_sse200_dualtimer_channel *)(0x50002000u + 0x20u * (channel)))

enum { HRLP_SSE200_DUALTIMER_SLOW = 0, HRLP_SSE200_DUALTIMER_CLOCK = 1 }; /* the channels */
enum {
    HRLP_SSE200_DUALTIMER_32_BITS = 1u << 1,
    HRLP_SSE200_DUALTIMER_BY_256 = 2u << 2,
    HRLP_SSE200_DUALTIMER_INTERRUPT = 1u << 5,
    HRLP_SSE200_DUALTIMER_ENABLE = 1u << 7
};
enum { HRLP_SSE200_DUALTIMER_LINE = 5 };

/* So many wraps this core has acknowledged. */
extern HRLP_PER_CORE volatile uint32_t hrlp_sse200_dualtimer_wraps;

/*
 * The number of wraps, modulo 256: of the numbers that fit the clock's count the one nearest to the slow count. The
 * channels need not be in step: they may be read, or have been started, up to 2^31 counts apart. Context: any.
 */
static inline uint8_t hrlp_sse200_dualtimer_wrapped(void)
{
    uint64_t slow = (uint64_t)~HRLP_SSE200_DUALTIMER(HRLP_SSE200_DUALTIMER_SLOW)->value << 8;
    uint32_t low = ~HRLP_SSE200_DUALTIMER(HRLP_SSE200_DUALTIMER_CLOCK)->value;

    return (uint8_t)((slow - low + 0x80000000u) >> 32);
}

#endif
