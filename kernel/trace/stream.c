/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "stream.h"
#include "trace.h"
#include <stdbool.h>

enum { MOST_SAID = 0xFFFFFF };

static const char id[] = "SEGGER RTT";

struct hrli_trace_rtt hrli_trace_rtt;

__attribute__((noinline)) void hrli_trace_begun(void)
{
    __asm__ volatile("");
}

/* The id comes last, so that a debugger that looks for it finds no half of a block. */
void hrli_trace_stream_start(void)
{
    struct hrli_trace_rtt *rtt = &hrli_trace_rtt;

    rtt->up_channels = 1;
    rtt->down_channels = 0;
    rtt->up.name = "Horolog";
    rtt->up.buffer = hrl_gen_trace_records;
    rtt->up.bytes = hrl_gen_trace_capacity * (uint32_t)sizeof hrl_gen_trace_records[0];
    rtt->up.written = 0;
    rtt->up.read = 0;
    rtt->up.flags = 0;
    rtt->unsaid = 0;
    for (unsigned i = 0; i < sizeof id; i++) {
        ((volatile char *)rtt->id)[i] = id[i];
    }
}

static bool put(hrl_stamp stamp, uint32_t word)
{
    struct hrli_trace_channel *up = &hrli_trace_rtt.up;
    uint32_t at = hrli_trace.next;
    uint32_t next = at + 1 == hrl_gen_trace_capacity ? 0 : at + 1;
    uint32_t written = next * (uint32_t)sizeof hrl_gen_trace_records[0];

    if (written == up->read) {
        return false;
    }
    hrl_gen_trace_records[at].stamp = stamp;
    hrl_gen_trace_records[at].word = word;
    hrli_trace.next = next;
    __atomic_store_n(&up->written, written, __ATOMIC_RELEASE); /* behind the record */
    return true;
}

void hrli_trace_stream(hrl_stamp stamp, uint32_t word)
{
    uint32_t unsaid = hrli_trace_rtt.unsaid;

    if (unsaid != 0) {
        uint32_t said = unsaid < MOST_SAID ? unsaid : MOST_SAID;

        if (put(stamp, HRLP_RING_WORD(HRLP_RING_LOST, said))) {
            hrli_trace_rtt.unsaid = unsaid -= said;
        }
    }
    if (unsaid != 0 || !put(stamp, word)) {
        hrli_trace_rtt.unsaid = unsaid + 1;
        hrli_trace.lost++;
    }
}
