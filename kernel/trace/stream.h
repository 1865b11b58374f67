/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_TRACE_STREAM_H
#define HRLI_TRACE_STREAM_H

#include <hrl/types.h>
#include <stdint.h>

/*
 * The trace ring as an up-channel of SEGGER's Real Time Transfer, so that a debugger empties it while the firmware
 * runs: the firmware writes and moves `written`, the debugger reads and moves `read`, both in bytes of the buffer.
 * Equal, they say that it is empty; so one record's room is never used. In builds with HRL_TRACE_STREAM.
 *
 * A debugger finds the control block by its `id`, or is told its address. Its layout is that of the protocol's
 * description, https://kb.segger.com/RTT: counts of up- and down-channels, then these.
 */
struct hrli_trace_channel {
    const char *name;
    volatile void *buffer;
    uint32_t bytes;
    volatile uint32_t written;
    volatile uint32_t read;
    uint32_t flags; /* 0: what does not fit is skipped */
};

struct hrli_trace_rtt {
    char id[16];
    int32_t up_channels;
    int32_t down_channels;
    struct hrli_trace_channel up;
    uint32_t unsaid; /* records lost behind the last one that is written; no part of the protocol */
};

extern struct hrli_trace_rtt hrli_trace_rtt;

/* The ring becomes the channel, and is empty. Context: start-up, interrupts masked. */
void hrli_trace_stream_start(void);

/*
 * Writes a record, or counts it as lost if there is no room. Before the next one then stands a record of its stamp that
 * says how many are missing (HRLP_RING_LOST). Context: interrupts masked; constant time.
 */
void hrli_trace_stream(hrl_stamp stamp, uint32_t word);

/* Does nothing: a debugger stops here, where the channel is empty and the clock has not started, and begins to read. */
void hrli_trace_begun(void);

#endif
