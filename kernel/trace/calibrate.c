/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_ring_machine.h"
#include "stream.h"
#include "trace.h"
#include <stddef.h>

/* In a file of its own, as calls that the compiler inlines would cost less than those that it measures. */

static void empty(void)
{
    hrli_trace.next = 0;
    if (HRL_TRACE_STREAM) {
        hrli_trace_stream_start();
    }
}

/* The cost of what the ring holds: HRLI_TRACE_CALLS times so many records, the second of which ends a pair. */
static struct hrli_trace_cost cost_of(size_t records)
{
    const struct hrli_trace_record *record = hrl_gen_trace_records;
    const struct hrli_trace_record *last = &record[records * (HRLI_TRACE_CALLS - 1)];
    struct hrli_trace_cost cost = {last->stamp - record->stamp, 0};

    for (size_t i = 0; records > 1 && i < HRLI_TRACE_CALLS; i++) {
        cost.inside += record[records * i + 1].stamp - record[records * i].stamp;
    }
    empty();
    return cost;
}

/* HRLI_TRACE_CALLS times, without a loop, which would cost something itself. */
#define FOUR_TIMES(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
#define CALLS(...) FOUR_TIMES(FOUR_TIMES(__VA_ARGS__)) FOUR_TIMES(FOUR_TIMES(__VA_ARGS__))

void hrli_trace_start(void)
{
    hrli_trace.capacity = hrl_gen_trace_capacity;
    hrli_trace.calls = HRLI_TRACE_CALLS;
    hrli_trace.window = UINT32_MAX; /* not yet */
    hrlp_ring_start_stamps();
    empty();
    CALLS(hrli_trace_served(NULL);)
    hrli_trace.plain = cost_of(1);
    CALLS(hrli_trace_served(NULL); hrlp_ring_returns();)
    hrli_trace.called = cost_of(1);
    CALLS(hrli_trace_mask(1, 1);)
    hrli_trace.masked = cost_of(1);
    CALLS(hrli_trace_mask(1, 0x10001u);)
    hrli_trace.halves = cost_of(2);
    CALLS(hrlp_ring_call(0);)
    hrli_trace.entered = cost_of(2);
    CALLS(hrlp_ring_call(1);)
    hrli_trace.switched = cost_of(2);
    CALLS(hrlp_ring_service();)
    hrli_trace.service = cost_of(2);
    CALLS(HRLP_RING_JOB)
    hrli_trace.job = cost_of(2);
    if (HRL_TRACE_STREAM) {
        hrli_trace_begun();
    }
    hrlp_clock_start(); /* anew: the first release is a time after its start, and all of this took long */
    hrli_trace.idle = hrli_trace_running() & 0xFFFFFFu;
    hrli_trace.opened = hrlp_ring_stamp();
    hrli_trace.window = hrl_gen_trace_window;
    if (HRL_TRACE_STREAM) { /* as a debugger has read of these what was there before */
        hrli_trace_stream(hrli_trace.opened, HRLP_RING_WORD(HRLP_RING_EMPTY, hrli_trace.idle));
    }
}
