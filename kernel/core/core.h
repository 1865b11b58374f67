/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CORE_H
#define HRLI_CORE_H

#include "hrlp_cpu.h"
#include "hrlp_per_core.h"
#include "life.h"
#include "ready_queue.h"
#include <hrl/thread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The state of one processor core.
 */
struct hrli_timeouts;
struct hrl_alarm;

struct hrli_core {
#if !HRLP_CPU_IS_SHORT /* as these two would be too far away */
    struct hrli_ready_queue ready;
#endif
    struct hrl_thread *running;
    /*
     * An interrupt asks for a dispatch if it made a thread ready above this level: the running
     * thread's, or HRL_PRIORITIES while dispatch is held off. Not volatile, so that a switch can store it
     * together with `running`: what must see or show it at once has a fence.
     */
    hrli_level threshold;
#if HRLP_CPU_IS_SHORT /* likewise: behind what is used most */
    struct hrli_ready_queue ready;
#endif
    const struct hrli_timeouts *timeouts; /* NULL: the system has none */
    struct {
        bool acting;             /* a function runs that an alarm called */
        struct hrl_alarm *owing; /* those that expire once it has returned */
    } alarms;                    /* kernel/sync/alarm.c */
#if HRL_CORES > 1                /* as only then others wake its threads */
    struct {
        struct hrl_thread *first, *last;
    } woken;                    /* kernel/thread/woken.h */
    bool has_changes;           /* others have put something into one of these two */
    struct hrl_thread *changed; /* the first of the list: kernel/thread/change_elsewhere.h */
    struct {
        struct hrl_alarm *first, *last;
    } asked; /* alarms that others start or stop: kernel/sync/alarm_elsewhere.h */
#endif
#if HRL_GLOBAL_THREADS   /* as only then others show it threads; kernel/thread/global.h */
    volatile bool looks; /* its next dispatch is to look at what is offered to all */
    bool gives_way;      /* that dispatch is the end of a slice */
    hrli_level shown;    /* the level of what it runs, as others know it */
#endif
};

/* The releaser that serves time-outs, and what a thread asks of its mode and store. */
struct hrli_timeouts {
    struct hrli_releaser *releaser;
    /* As hrli_one_shot_nodes_put and hrli_periodic_put; of a build for size hrl_gen_put_timeout. */
    void (*put)(struct hrli_queue_node *node);
    /* Takes `node` out. Context: the store's owner. */
    void (*remove)(struct hrli_queue_node *node);
#if HRL_CORES > 1                                 /* as each core has a store of its own */
    bool (*insert)(struct hrli_queue_node *node); /* hrl_gen_insert_timeout */
#endif
};

/*
 * Puts `node` into the store of time-outs, also if its instant has passed; true: it is now the first, and
 * the cell is not armed for it yet. This is the store's own insert. Generated code has it; it is no
 * member of the above, so that an image without alarms comes without it. Context: the store's owner.
 */
bool hrl_gen_insert_timeout(struct hrli_queue_node *node);

/* hrli_timeouts.put of a build for size: an image in which no thread waits for an instant comes without it. */
void hrl_gen_put_timeout(struct hrli_queue_node *node);

/*
 * Of the core that this runs on. With several it is in memory of the core's own (hrlp_per_core.h), where
 * possible at the same address on each, so that finding it costs nothing; hrlp_core_object finds another core's.
 */
extern HRLP_PER_CORE struct hrli_core hrli_core;

/* hrl_gen_insert_timeout of the core that this runs on. Context: the store's owner. */
static inline bool hrli_core_insert_timeout(struct hrli_queue_node *node)
{
#if HRL_CORES > 1 /* as the field is there only then */
    return hrli_core.timeouts->insert(node);
#else
    return hrl_gen_insert_timeout(node);
#endif
}

/*
 * Makes the ready queue empty and holds dispatch off until hrl_start, the first time. A later call
 * does nothing. Context: start-up.
 */
void hrli_core_prepare(void);

/*
 * Whether the running thread is ready and has not given way to the others of its level: it is the
 * first of its ring, or a bit, even if a bit that comes before it was released since. Context:
 * interrupts masked, or a handler.
 */
static inline bool hrli_core_runs_first(void)
{
    const struct hrli_ready_node *node = &hrli_core.running->ready;

    return hrli_ready_is_bit(&hrli_core.ready, node) ||
           hrli_core.ready.levels[node->priority].next == &node->link;
}

/*
 * Whether the running code may not wait, switch or end: an interrupt, or a basic task, in an
 * interrupt or served by a thread. Context: any but the dispatch.
 */
static inline bool hrli_core_in_interrupt(void)
{
    return hrlp_cpu_in_interrupt() ||
           (HRL_BASIC_TASKS && hrli_core.running != NULL && hrli_core.running->life == HRLI_SERVES);
}

/* hrlp_cpu_request_switch out of line, for places where one more call does not matter. */
void hrli_core_request_switch(void);

/*
 * Until dispatch is allowed again, or a switch is made, no thread is dispatched, even if interrupts
 * release threads. Context: a thread.
 */
static inline void hrli_core_lock_dispatch(void)
{
    hrli_core.threshold = HRL_PRIORITIES;
    atomic_signal_fence(memory_order_seq_cst);
}

/* After a thread of `level` was made ready. Context: any, interrupts as they were before. */
static inline void hrli_core_dispatch_above(hrli_level level)
{
    if (level > hrli_core.threshold) {
        hrlp_cpu_request_switch();
    }
}

/* Whether an occupied level is above the threshold. Context: any. */
static inline bool hrli_core_owes_switch(void)
{
    return HRLP_CPU_SEARCHES_BITS ? hrli_ready_is_above(&hrli_core.ready, hrli_core.threshold)
                                  : hrli_ready_top(&hrli_core.ready) > hrli_core.threshold;
}

/* Whether other cores have changed threads or alarms of this one, which its next dispatch looks at. Context: any. */
static inline bool hrli_core_has_changes(void)
{
#if HRL_GLOBAL_THREADS /* as the field is there only then */
    return HRLP_SEE(hrli_core.has_changes) || HRLP_SEE(hrli_core.looks);
#elif HRL_CORES > 1 /* likewise */
    return HRLP_SEE(hrli_core.has_changes);
#else
    return false;
#endif
}

/* Whether others believe that this core runs something more urgent than `level`. Context: the running thread. */
static inline bool hrli_core_runs_below(hrli_level level)
{
#if HRL_GLOBAL_THREADS /* as the field is there only then */
    return level < hrli_core.shown;
#else
    (void)level;
    return false;
#endif
}

/* After threads were made ready, whatever their levels. Context: any, interrupts as they were before. */
static inline void hrli_core_dispatch(void)
{
    if (hrli_core_owes_switch()) {
        hrlp_cpu_request_switch();
    }
}

/*
 * To be called at the end of every interrupt that may have released a thread. Context: its handler.
 */
static inline void hrli_core_dispatch_after_interrupt(void)
{
    if (hrli_core_owes_switch()) {
        hrlp_cpu_request_switch_at_end();
    }
}

/*
 * Allows dispatch again without a switch, but for one that was asked for since then. Context: the
 * running thread, of `level`. What an alarm's function may call restores the threshold it has found
 * instead: in a thread's call that function runs with dispatch held off.
 */
static inline void hrli_core_allow_dispatch(hrli_level level)
{
    hrli_core.threshold = level;
    /* An interrupt from here on asks by itself; what came before it must be seen below. */
    atomic_signal_fence(memory_order_seq_cst);
    if ((hrli_core_has_changes() || hrli_core_runs_below(level)) &&
        level < HRL_PRIORITIES) { /* rung for while dispatch was held off */
        hrlp_cpu_request_switch();
        return;
    }
    hrli_core_dispatch();
}

/*
 * hrli_core_allow_dispatch for the level of the running thread, as a function: it saves ROM in calls that
 * are rare, or that have waited. Context: a thread.
 */
void hrli_core_unlock_dispatch(void);

#endif
