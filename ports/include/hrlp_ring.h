/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RING_H
#define HRLP_RING_H

#include <hrl/types.h>

/*
 * What a firmware writes into its trace ring (kernel/trace), in builds with HRL_TRACE.
 *
 * A record's second word is its kind, in the upper 8 bits, and what it is about, in the lower 24: of an address the
 * lower 24 bits, by which a debugger finds the object again.
 */
enum {
    HRLP_RING_EMPTY, /* the begin of a trace that is read as it fills: the idle thread, an address */
    HRLP_RING_ENTERED, /* the interrupt of this number, as the processor counts them */
    HRLP_RING_LEFT, /* the interrupt that was entered last and not left; the thread that runs, an address */
    HRLP_RING_SWITCHED, /* the same, where the handler ended by itself */
    HRLP_RING_BEGUN,    /* a job of the task of this number */
    HRLP_RING_ENDED,    /* the same */
    HRLP_RING_RELEASED, /* the task with the waiter at this address */
    HRLP_RING_SERVED,   /* an instant, by the releaser at this address */
    HRLP_RING_MASK_LOW, /* 8 bits of level, 16 of the word: the lower half of the threads that a mask released */
    HRLP_RING_MASK_HIGH, /* the upper half */
    HRLP_RING_LOST, /* so many records are missing before this one: of a ring that is read as it fills */
    HRLP_RING_CALLED,   /* a service, by what runs */
    HRLP_RING_RETURNED, /* from it */
};

#define HRLP_RING_WORD(kind, about) ((uint32_t)(kind) << 24 | ((uint32_t)(about)&0xFFFFFFu))

/* kernel/trace/trace.c. Writes a record; constant time. Context: any. */
void hrli_trace_put(uint32_t word);

/* The same, which is about the thread that runs. Context: the end of an interrupt's handler. */
void hrli_trace_left(void);
void hrli_trace_switched(void);

/* Around a service that a body calls. Context: any. */
void hrli_trace_called(void);
void hrli_trace_returned(void);

/* What the kernel tells (hrlp_trace.h), out of line, so that each call costs little where it stands. */
void hrli_trace_released(const void *waiter);
void hrli_trace_served(const void *releaser);
void hrli_trace_mask(uint32_t level, uint32_t released);

/* Finds out what records cost, empties the ring and starts the clock anew. Context: start-up, the clock runs, interrupts masked. */
void hrli_trace_start(void);

#endif
