/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"
#include "core.h"
#include "hrlp_ring_machine.h"
#include "stream.h"

struct hrli_trace hrli_trace;

__attribute__((noinline)) void hrli_trace_end(void)
{
    __asm__ volatile("");
}

/* What stands in the ring is the beginning. */
static inline void keep(hrl_stamp stamp, uint32_t word)
{
    uint32_t at = hrli_trace.next;

    if (at < hrl_gen_trace_capacity) {
        hrl_gen_trace_records[at].stamp = stamp;
        hrl_gen_trace_records[at].word = word;
        hrli_trace.next = at + 1;
    } else {
        hrli_trace.lost++;
    }
}

void hrli_trace_put(uint32_t word)
{
    hrlp_ring_state state = hrlp_ring_lock();
    hrl_stamp stamp = hrlp_ring_stamp();

    if (HRL_TRACE_STREAM) {
        hrli_trace_stream(stamp, word);
    } else {
        keep(stamp, word);
    }
    hrlp_ring_unlock(state);
    if (stamp - hrli_trace.opened >= hrli_trace.window) {
        hrli_trace_end();
    }
}

uint32_t hrli_trace_running(void)
{
#if HRL_WITHOUT_THREADS /* as then no thread runs, and the room that knows is not linked */
    return 0;
#else
    return (uint32_t)(uintptr_t)hrli_core.running;
#endif
}

void hrli_trace_left(void)
{
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_LEFT, hrli_trace_running()));
}

void hrli_trace_switched(void)
{
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_SWITCHED, hrli_trace_running()));
}

void hrli_trace_called(void)
{
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_CALLED, 0));
}

void hrli_trace_returned(void)
{
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_RETURNED, 0));
}

void hrli_trace_released(const void *waiter)
{
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_RELEASED, (uintptr_t)waiter));
}

void hrli_trace_served(const void *releaser)
{
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_SERVED, (uintptr_t)releaser));
}

/* A record for each half of the word in which there is a bit. */
void hrli_trace_mask(uint32_t level, uint32_t released)
{
    uint32_t low = released & 0xFFFFu, high = released >> 16;

    if (low != 0) {
        hrli_trace_put(HRLP_RING_WORD(HRLP_RING_MASK_LOW, level << 16 | low));
    }
    if (high != 0) {
        hrli_trace_put(HRLP_RING_WORD(HRLP_RING_MASK_HIGH, level << 16 | high));
    }
}
