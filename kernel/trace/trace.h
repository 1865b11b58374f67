/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_TRACE_H
#define HRLI_TRACE_H

#include "hrlp_ring.h"
#include <hrl/types.h>

/* Whether the ring is read while the firmware runs (stream.h); as the tool says. */
#ifndef HRL_TRACE_STREAM /* as in builds of others than the tool */
#define HRL_TRACE_STREAM 0
#endif

/*
 * The trace: records of what happened, in RAM, which a debugger reads when the firmware has reached hrli_trace_end, or
 * with HRL_TRACE_STREAM as they come. In builds with HRL_TRACE; others have nothing of this.
 *
 * A record is a stamp and a word (hrlp_ring.h). Stamps are counts of 32 bits of what the port's hrlp_ring_stamp reads,
 * and wrap: two records have to be less than 2^32 counts apart, and a whole trace, too. It begins behind the
 * calibration, at `opened`. When the ring is full, later records are counted in `lost` and not kept: what stands in it
 * is the beginning, without a gap. Where it is read as it fills, a whole trace may be longer, its first record says
 * `opened`, and where records are lost, the next one says how many. Each record is written in constant time, with all
 * interrupts masked, so that the order of records is that of their stamps.
 */
struct hrli_trace_record {
    hrl_stamp stamp;
    uint32_t word;
};

/*
 * What records cost, in counts, measured at start-up: HRLI_TRACE_CALLS of each kind, one behind the other. The sum
 * over all of them, and of that the part between the two records of a pair.
 */
enum { HRLI_TRACE_CALLS = 32 };

struct hrli_trace_cost {
    uint32_t
        whole; /* from the first record of the first to the first of the last: HRLI_TRACE_CALLS - 1 of them */
    uint32_t inside; /* HRLI_TRACE_CALLS times from the first record of a pair to its second */
};

struct hrli_trace {
    uint32_t capacity; /* records */
    uint32_t next;     /* so many are written; or the next one's place, if it is read as it fills */
    uint32_t lost;
    uint32_t window; /* counts behind `opened`: hrli_trace_end is called from then on */
    hrl_stamp opened;
    uint32_t calls; /* HRLI_TRACE_CALLS */
    uint32_t idle;  /* the idle thread, as HRLP_RING_LEFT says it; 0 without threads */
    struct hrli_trace_cost plain;  /* a record of what the kernel tells; nothing is inside */
    struct hrli_trace_cost called; /* the same, and a call of a function that returns at once */
    struct hrli_trace_cost masked; /* a record of what a mask released */
    struct hrli_trace_cost halves; /* two of them in one call */
    struct hrli_trace_cost
        entered; /* a call in place of an interrupt, with a handler that returns at once */
    struct hrli_trace_cost switched; /* one with a handler that ends by itself */
    struct hrli_trace_cost service;  /* a service that returns at once, with its call */
    struct hrli_trace_cost
        job; /* what the stub of a job does beside the job, but for the call of it */
};

/*
 * In generated code: the ring, so many records, at least 2 * HRLI_TRACE_CALLS; and how long the trace is, in counts of
 * hrlp_ring_stamp.
 */
extern struct hrli_trace_record hrl_gen_trace_records[];
extern const uint32_t hrl_gen_trace_capacity, hrl_gen_trace_window;

extern struct hrli_trace hrli_trace;

/* The thread that runs: an address; 0 in a system without threads. */
uint32_t hrli_trace_running(void);

/* Does nothing; a debugger stops here. Called by each record behind the window. */
void hrli_trace_end(void);

#endif
