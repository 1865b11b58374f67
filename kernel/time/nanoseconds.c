/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nanoseconds.h"
#include "check.h"
#include <hrl/time.h>

uint64_t hrl_counts_to_ns(hrl_counts counts)
{
    return hrli_scale(counts, hrl_gen_clock_rate.ns_per_count);
}

hrl_counts hrl_ns_to_counts(uint64_t ns)
{
    return hrli_scale(ns, hrl_gen_clock_rate.counts_per_ns);
}

uint64_t hrl_now_ns(void)
{
    HRLI_CHECK_CALL("hrl_now_ns");
    return hrl_counts_to_ns(hrl_now());
}
