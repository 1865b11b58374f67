/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_RELEASER_H
#define HRLI_RELEASER_H

#include "clock.h"
#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_trace.h"
#include "period.h"
#include "queue_node.h"
#include "ready_queue.h"
#include "stamp.h"
#include <hrl/thread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct hrli_releaser;

/* What a releaser releases: it waits in the store, then its thread stands in the ready queue. */
struct hrli_waiter {
    struct hrli_queue_node node; /* first: a node of a releaser's store is a waiter. Key: due */
    volatile hrl_stamp released; /* the instant of the latest release; written once a release */
    struct hrli_releaser *releaser;
    uint32_t high;  /* the upper half of the instant of the key; a thread may be late */
    uint32_t step;  /* counts to the next release; 0: `parts` says how to find it */
    uint32_t parts; /* the period's numerator; 0: hrli_release_wait_slowly finds the next release */
    struct hrli_period period;
};

/* A thread that runs its body once a release. */
struct hrli_periodic_thread {
    struct hrl_thread thread; /* first: a periodic thread is a thread */
    struct hrli_waiter waiter;
    void (*body)(void);
    volatile uint32_t overruns;
    bool queue_overruns; /* late jobs catch up, instead of being skipped */
    bool is_shared; /* it runs several tasks, with overruns of their own (kernel/thread/shared.h) */
    bool is_behind; /* of a shared thread: the release that it runs for had passed when it waited */
};

/* The periodic thread of a waiter. */
static inline struct hrli_periodic_thread *hrli_waiter_thread(struct hrli_waiter *waiter)
{
    return (struct hrli_periodic_thread *)((char *)waiter -
                                           offsetof(struct hrli_periodic_thread, waiter));
}

/* Its place in the ready queue. */
static inline struct hrli_ready_node *hrli_waiter_ready(struct hrli_waiter *waiter)
{
    return &hrli_waiter_thread(waiter)->thread.ready;
}

/*
 * A releaser owns one cell and releases the tasks that wait in its store.
 *
 * It has a mode (periodic.h, one_shot.h, cooperative.h: when its cell interrupts) and a store: how
 * it finds the due tasks. The store is a delay queue (kernel/queue/), or one of those for periodic
 * tasks only: unsorted_list.h, harmonic_array.h, period_groups.h, mask_table.h. Both are chosen
 * when the system is generated, which instantiates the mode's inline functions for the store (ADR
 * 0002).
 *
 * Only the releaser's interrupt, or the one thread that is inserting, may touch a delay queue. That
 * thread holds off dispatch (so no other thread runs) and sets `busy`; an interrupt that finds it
 * set leaves its work to the thread by setting `deferred`. So an insertion of any length runs with
 * interrupts on. The other stores take a waiter in constant time, under the lock.
 *
 * Where interrupts nest (HRLP_IRQ_NESTS) a releaser's handler has a priority below those that the
 * kernel's lock masks, HRLP_IRQ_OF_CELLS, so that applications' interrupts come in while it
 * releases. What it shares with them is the ready queue: it locks for each thread that it releases,
 * or for some words of release masks, and for arming its cell, which may not be late.
 */
struct hrli_releaser {
    volatile hrl_stamp served; /* the instant served last; written once an instant */
    hrl_stamp next;            /* the instant at which the cell interrupts next */
    volatile bool busy;
    volatile bool deferred;
    struct hrli_ready_queue *ready; /* of the core that this releaser releases to */
    const struct hrlp_cell *cell;
    const struct hrli_releaser_calls *calls;
};

/* What a thread and the start-up code ask of a releaser, whatever its mode and store. */
struct hrli_releaser_calls {
    /* Puts `waiter` into the store before the start. Context: start-up. */
    void (*enrol)(struct hrli_releaser *releaser, struct hrli_waiter *waiter);
    /* Starts the cell; the store holds the first releases. Context: start-up, interrupts masked. */
    void (*start)(struct hrli_releaser *releaser);
    /*
     * Takes `waiter` out of the ready queue and puts it into the store, to be released when its key
     * is served; false, and nothing done, if that instant has passed. The key is `span` counts after
     * `from`, and the present instant less than 2^32 after that. Context: the waiter's thread, the
     * running one, dispatch held off, interrupts enabled.
     */
    bool (*enqueue)(struct hrli_releaser *releaser, struct hrli_waiter *waiter, hrl_stamp from,
                    uint32_t span);
    /*
     * Serves every instant that has passed, or ends the use and lets its interrupt do so at once.
     * Context: in use (hrli_releaser_catch_up).
     */
    void (*serve)(struct hrli_releaser *releaser);
    /*
     * The loop of jobs of a thread of this releaser: a struct hrli_periodic_thread. NULL: one that asks
     * by `enqueue` does.
     */
    void (*run)(void *thread);
};

/*
 * From here to the end of the use `served` stands still and the store is the caller's: the
 * releaser's interrupt leaves its work to the thread. Context: as enqueue.
 */
static inline void hrli_releaser_begin_use(struct hrli_releaser *releaser)
{
    releaser->busy = true;
    atomic_signal_fence(memory_order_seq_cst); /* the store is read and written after this */
}

/* The releaser's interrupt may use the store again. */
static inline void hrli_releaser_end_use(struct hrli_releaser *releaser)
{
    atomic_signal_fence(memory_order_seq_cst);
    releaser->busy = false;
}

/*
 * The store's calls, as a mode's inline functions take them: a constant with an address that is
 * known at compile time costs nothing.
 */
struct hrli_store {
    bool (*insert)(void *queue, struct hrli_queue_node *node); /* true: it is now the first */
    /* insert, inlined into the caller where the queue has a short one. `key` is the node's key. */
    bool (*put)(void *queue, struct hrli_queue_node *node, hrl_stamp key);
    struct hrli_queue_node *(*first)(void *queue);
    void (*pop)(void *queue, struct hrli_queue_node *first);
    void (*remove)(void *queue, struct hrli_queue_node *node);
    /*
     * Releases `node`, which is due at `instant` and taken out already: hrli_releaser_release, or a
     * function of another room for its own nodes. Context: the store's owner.
     */
    void (*release)(struct hrli_releaser *releaser, struct hrli_queue_node *node,
                    hrl_stamp instant);
    /*
     * What a mode asks of any store; the calls above are those of a delay queue, from which these
     * two are made (hrli_releaser_release_due). `due` returns the first instant to come, NULL if
     * there is none; a periodic mode does not ask for it. `release_due` releases every waiting node
     * that is due at `instant`. Context of both: the store's owner.
     */
    const hrl_stamp *(*due)(void *queue);
    void (*release_due)(struct hrli_releaser *releaser, void *queue, hrl_stamp instant);
};

/*
 * How far a hop goes where more than `span` is left: half the way if it is the last one, as an interrupt shortly before
 * the instant would still be served when that comes.
 */
static inline uint32_t hrli_releaser_stride(uint32_t left, uint32_t span)
{
    return left - span < span ? left / 2u : span;
}

/*
 * The instant that a cell that times 2 * span is armed for, to serve `instant`: a hop towards it,
 * if that is further ahead than `span`. The hop begins now, as the instant served last may be long
 * ago. For an instant that has passed there is no hop. A span of 2^31: the cell times all that a
 * stamp can tell.
 */
static inline hrl_stamp hrli_releaser_hop(hrl_stamp instant, uint32_t span)
{
    if (span < (uint32_t)1 << 31) {
        const hrl_stamp now = hrlp_clock_read();

        if (hrli_stamp_branch_after(instant, now + span)) {
            return now + hrli_releaser_stride(instant - now, span);
        }
    }
    return instant;
}

/* The waiter no longer runs. `ready`: its releaser's. Context: as enqueue. */
static inline void hrli_releaser_unready(struct hrli_ready_queue *ready, struct hrli_waiter *waiter)
{
    hrlp_irq_mask();
    hrli_ready_remove(ready, hrli_waiter_ready(waiter));
    hrlp_irq_unmask();
}

/*
 * hrli_releaser_calls.enqueue for stores that `put` a waiter in in constant time, without begin_use. All
 * instants that have passed have been served, with or without waiters, so the clock is not asked.
 * Context: as enqueue; `put` with interrupts masked.
 */
static inline __attribute__((always_inline)) bool
hrli_releaser_enqueue_at_once(struct hrli_releaser *releaser, struct hrli_waiter *waiter,
                              hrl_stamp from, uint32_t span, void *store,
                              void (*put)(struct hrli_releaser *releaser, void *store,
                                          struct hrli_waiter *waiter))
{
    hrlp_irq_mask();
    if (releaser->served - from >= span) {
        hrlp_irq_unmask();
        return false;
    }
    hrli_ready_remove(releaser->ready, hrli_waiter_ready(waiter));
    put(releaser, store, waiter);
    hrlp_irq_unmask();
    return true;
}

/*
 * The lock of a releaser's service, for a piece of it that takes constant time. Where handlers do not
 * interrupt each other the whole service has interrupts masked, and this is nothing; elsewhere nothing
 * is masked before. Context: the store's owner.
 */
static inline void hrli_releaser_lock(void)
{
    if (HRLP_IRQ_NESTS) {
        hrlp_irq_mask();
    }
}

static inline void hrli_releaser_unlock(void)
{
    if (HRLP_IRQ_NESTS) {
        hrlp_irq_unmask();
    }
}

/*
 * Does the work that interrupts left to the thread during the use, and during this call. Context:
 * as enqueue, the use ended. Where handlers nest, interrupts are on, and those of the releaser are
 * deferred again.
 */
static inline void hrli_releaser_catch_up(struct hrli_releaser *releaser)
{
    hrlp_irq_state state = HRLP_IRQ_NESTS ? HRLP_IRQ_UNLOCKED : hrlp_irq_lock();

    do {
        hrli_releaser_begin_use(releaser);
        releaser->deferred = false;
        releaser->calls->serve(releaser);
        hrli_releaser_end_use(releaser);
    } while (releaser->deferred);
    if (!HRLP_IRQ_NESTS) {
        hrlp_irq_unlock(state);
    }
}

/* Ends the use, and does the work that interrupts left to the thread. Context: as enqueue. */
static inline __attribute__((always_inline)) void
hrli_releaser_leave(struct hrli_releaser *releaser)
{
    hrli_releaser_end_use(releaser);
    if (releaser->deferred) {
        hrli_releaser_catch_up(releaser);
    }
}

/* Notes that `instant` is being served. */
static inline void hrli_releaser_mark_served(struct hrli_releaser *releaser, hrl_stamp instant)
{
    releaser->served = instant;
    hrlp_trace_served(releaser, instant);
}

/* Notes that `waiter` is being released for `instant`. */
static inline void hrli_releaser_note_release(struct hrli_waiter *waiter, hrl_stamp instant)
{
    waiter->released = instant;
    hrlp_trace_released(waiter, instant);
}

/* hrli_store.release for waiters. */
static inline void hrli_releaser_release(struct hrli_releaser *releaser,
                                         struct hrli_queue_node *node, hrl_stamp instant)
{
    struct hrli_waiter *waiter = (struct hrli_waiter *)node;

    hrli_releaser_note_release(waiter, instant);
    hrli_releaser_lock();
    hrli_ready_add(releaser->ready, hrli_waiter_ready(waiter));
    hrli_releaser_unlock();
}

/* hrli_store.release_due of a delay queue. Cost: in proportion to the jobs released. */
static inline __attribute__((always_inline)) void
hrli_releaser_release_due(struct hrli_releaser *releaser, void *queue,
                          const struct hrli_store *store, hrl_stamp instant)
{
    struct hrli_queue_node *first;

    while ((first = store->first(queue)) != NULL && !hrli_stamp_branch_after(first->key, instant)) {
        store->pop(queue, first);
        store->release(releaser, first, instant);
    }
}

#endif
