/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CMSDK_DUALTIMER_H
#define HRLP_CMSDK_DUALTIMER_H

#include <stdint.h>

/*
 * Arm CMSDK dual timer: two down-counters of 32 bits on one interrupt line (Arm DDI 0479, 3.6).
 *
 * It interrupts on reaching 0 and, in periodic mode, reloads one count later: the period is load +
 * 1.
 */
struct hrlp_cmsdk_dualtimer_channel {
    volatile uint32_t load; /* writing sets the counter too */
    volatile uint32_t value;
    volatile uint32_t control;
    volatile uint32_t clear;
    volatile uint32_t raw_status;
    volatile uint32_t masked_status;
    volatile uint32_t background_load; /* the next reload, the counter is left alone */
    uint32_t reserved;
};

#define HRLP_CMSDK_DUALTIMER(channel)                                                              \
    ((struct hrlp_cmsdk_dualtimer_channel *)(0x40002000u + 0x20u * (channel)))

enum {
    HRLP_CMSDK_DUALTIMER_ONE_SHOT = 1u << 0,
    HRLP_CMSDK_DUALTIMER_32_BITS = 1u << 1,
    HRLP_CMSDK_DUALTIMER_INTERRUPT = 1u << 5,
    HRLP_CMSDK_DUALTIMER_PERIODIC = 1u << 6,
    HRLP_CMSDK_DUALTIMER_ENABLE = 1u << 7
};

#define HRLP_CMSDK_DUALTIMER_LINE(channel) 10 /* both channels' */

#endif
