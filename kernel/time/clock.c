/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "check.h"
#include "hrlp_clock.h"
#include "hrlp_cores.h"
#include "hrlp_trace.h"
#include "hrlp_upcalls.h"
#include <stdbool.h>
#include <stdint.h>

HRLP_PER_CORE volatile uint32_t hrli_clock_wraps;
static HRLP_PER_CORE bool started;

void hrli_clock_start(void)
{
    hrli_clock_wraps = 0;
    if (hrlp_core_number() == 0) { /* all cores have one */
        hrlp_clock_start();
    } else {
        hrlp_clock_join();
    }
    started = true;
    hrlp_trace_start();
}

void hrli_clock_wrapped(void)
{
    hrli_clock_wraps++;
}

/*
 * hrl_now of a build for size, or where registers are few: behind the lock, where no wrap is counted. If none is pending
 * after the lower half was read, that was before any; one that is pending had come when the half is read again.
 */
static hrl_counts read_masked(void)
{
    union { /* as shifts of 64 bits are calls where a build is for size; the lower half comes first */
        uint32_t halves[2];
        hrl_counts counts;
    } now;
    hrlp_irq_state state = hrlp_irq_lock();

    now.halves[0] = hrlp_clock_read_masked();
    now.halves[1] = hrli_clock_wraps;
    if (hrlp_clock_wrap_pending()) {
        now.halves[0] = hrlp_clock_read_masked();
        now.halves[1]++;
    }
    hrlp_irq_unlock(state);
    return now.counts;
}

hrl_counts hrl_now(void)
{
    HRLI_CHECK_CALL("hrl_now");
    if (!started) {
        return 0;
    }
    if (HRLP_CLOCK_IS_WIDE) {
        return hrlp_clock_read_wide();
    }
    if (HRLI_SMALL || HRLP_CPU_IS_SHORT) {
        return read_masked();
    }
    for (;;) {
        uint32_t high = hrli_clock_wraps;
        bool pending = hrlp_clock_wrap_pending();
        hrl_stamp low = hrlp_clock_read();
        /*
         * A wrap between any two of these reads shows as a changed count of wraps (its handler ran)
         * or as a changed pending flag (it has not yet). The count comes last: it says that no
         * handler ran since the first read, so that the flag can only have gone up, and two equal
         * looks at it enclose no wrap.
         */
        if (pending == hrlp_clock_wrap_pending() && high == hrli_clock_wraps) {
            return ((hrl_counts)(high + (pending ? 1u : 0u)) << 32) | low;
        }
    }
}
