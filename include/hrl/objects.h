/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_OBJECTS_H
#define HRL_OBJECTS_H

#include <hrl/types.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#define HRLI_ZERO                                                                                  \
    {                                                                                              \
    }
#else
#define HRLI_ZERO                                                                                  \
    {                                                                                              \
        0                                                                                          \
    }
#endif

/*
 * What the kernel's objects consist of, so that applications can define them statically, without a
 * heap.
 *
 * Everything here is the kernel's: applications name no type and touch no field, but use the macros
 * HRL_..._DEFINE and the calls of the other headers. Layouts may change with every version.
 */

/*
 * What a delay queue holds (kernel/queue): an instant, and links that are the queue's while the
 * node is in it.
 */

/* A pointer, or counts; pointers may be shorter than those. */
#if UINTPTR_MAX < UINT32_MAX
typedef uint32_t hrli_spare;
#else
typedef uintptr_t hrli_spare;
#endif

struct hrli_queue_node {
    hrl_stamp key; /* beside `next`: a walk loads both at once */
    struct hrli_queue_node *next;
    struct hrli_queue_node *previous;
#if HRL_QUEUE_SPARE_WORDS != 0               /* as C++ has no arrays without elements */
    hrli_spare spare[HRL_QUEUE_SPARE_WORDS]; /* what else the queue in use keeps in a node */
#endif
};

/* A priority, or HRL_PRIORITIES: what the kernel computes with, and keeps. Bytes, where words are dear. */
#if UINTPTR_MAX < UINT32_MAX && HRL_PRIORITIES < 256
typedef uint8_t hrli_level;
typedef uint8_t hrli_kept_level;
#else
typedef uint32_t hrli_level;
typedef uint16_t hrli_kept_level;
#endif

/* What the ready queue holds (kernel/ready). */
struct hrli_ready_link {
    struct hrli_ready_link *next;
    struct hrli_ready_link *previous;
};

struct hrli_ready_node {
    struct hrli_ready_link link;   /* first: a link is a node */
    hrli_kept_level priority;      /* below HRL_PRIORITIES, larger is more urgent */
    hrli_kept_level base_priority; /* what was asked for; `priority` may be above it */
#if HRL_RELEASE_MASKS              /* as every thread would be larger by it */
    uint32_t mask_priority;        /* the priority at which masks release it */
    uint32_t mask_bit;             /* its bit among those of that priority; 0: no mask does */
#endif
};

/* A period (kernel/time/period.h). */
struct hrli_period {
    uint32_t counts;
    uint32_t hops;
    uint32_t numerator;
    uint32_t denominator;
    uint32_t accumulated; /* of the denominator; starts as the offset's fraction */
};

/* Threads that wait for one object (kernel/thread/wait_queue.h). */
struct hrli_wait_queue {
    struct hrl_thread *first; /* the most urgent one, of these the one that has waited longest */
};

/* What a thread waits for. */
struct hrli_wait {
    struct hrl_thread *next; /* of the ring of those of one priority; first come, first out */
    struct hrl_thread *previous;
    struct hrl_thread
        *lower; /* of a priority's first: the first of the next lower priority, or NULL */
    struct hrl_thread *
        *link; /* of a priority's first: what points to it in the queue; of others NULL */
    struct hrli_wait_queue *queue; /* NULL: in none */
    void *data;                    /* what is handed over: the object's and the waker's business */
};

/*
 * The store of time-outs holds nodes of threads (struct hrl_thread, timeout) and these: the code
 * that serves one of these at its instant calls `expire`.
 */
struct hrli_called_timeout {
    struct hrli_queue_node node;
    volatile uint8_t state; /* stays 0; where a thread has its timeout_state (thread/wait.h) */
    void (*expire)(struct hrli_called_timeout *timeout);
};

/*
 * A mutex. Threads refer to it, too: a thread's priority depends on the threads that wait for its
 * mutexes (kernel/thread/level.h).
 */
struct hrl_mutex {
    struct hrli_wait_queue waiters;
    struct hrl_thread *owner; /* NULL: it is free */
    struct hrl_mutex *next;   /* of those that count for the owner's priority */
    uint32_t ceiling;         /* 0: the owner inherits */
    bool counts;              /* it is among those */
};

/* An event (kernel/sync/event.c). */
struct hrli_event_walk;

struct hrl_event {
    struct hrli_wait_queue waiters; /* their wait.data: what they wait for */
    uint32_t flags;
    struct hrli_event_walk *walk; /* the set by a thread that an interrupt came into, or NULL */
};

#ifdef __cplusplus
}
#endif

#endif
