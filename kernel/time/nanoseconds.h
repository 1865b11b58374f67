/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_NANOSECONDS_H
#define HRLI_NANOSECONDS_H

#include "convert.h"
#include "hrlp_cpu.h"

/*
 * The rate of the system's clock, which the API's nanoseconds are converted by: a constant of the
 * board's, written by the tool or by systems/plain. A program that uses no nanoseconds links without
 * it.
 */
struct hrli_clock_rate {
    struct hrli_ratio ns_per_count;
    struct hrli_ratio counts_per_ns;
};

#define HRLI_CLOCK_RATE(hz)                                                                        \
    {                                                                                              \
        HRLI_NS_PER_COUNT(hz), HRLI_COUNTS_PER_NS(hz)                                              \
    }

extern HRLP_CONST struct hrli_clock_rate hrl_gen_clock_rate;

#endif
