/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_UNIFIED_NS_H
#define PLAIN_UNIFIED_NS_H

#include "slice_unified_ns.h"

/* TIMING unified_ns: the 1+N paper's Listing 2, in nanoseconds. */
static const struct hrli_slice_clock plain_clock = {HRLI_NS_PER_COUNT(PLAIN_CLOCK_HZ),
                                                    HRLI_COUNTS_PER_NS(PLAIN_CLOCK_HZ)};
static struct hrli_slice_unified_ns plain_unified;
#define PLAIN_UNIFIED(verb) hrli_slice_unified_ns_##verb
#define PLAIN_UNIFIED_SLICE ((uint64_t)PLAIN_SLICE_COUNTS * HRLI_NS_PER_S / PLAIN_CLOCK_HZ)
#define PLAIN_AND_CLOCK , &plain_clock

#include "one_cell.h"

#endif
