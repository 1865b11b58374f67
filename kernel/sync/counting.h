/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_COUNTING_H
#define HRLI_COUNTING_H

#include "short_alarm.h"
#include <hrl/alarm.h>

/*
 * Mode: periodic, for time-outs, and an interrupt at which none is due only counts. It has an entry of its own
 * (HRLP_<DEVICE>_COUNTING_HANDLER), which subtracts the period from what is left until the first node's instant, and
 * does no more until that is borrowed.
 *
 * Source: the relative request queue of Periodic Timers Revisited, section III: the interrupt counts the head's
 * distance down.
 *
 * The instants are those of the cell, which knows the last one that has come.
 */
struct hrli_counting {
    struct hrli_releaser base;
    volatile uint16_t
        left; /* counts; below 0 the first node is due, or the mark was only as far as 16 bits go */
    hrl_stamp mark;
};

/* What it is made of; constants that are known at compile time cost nothing. */
struct hrli_counting_parts {
    struct hrli_counting *releaser;
    struct hrli_short_alarms *alarms; /* is_near: `left` is until the first node's key */
    void *queue;
    const struct hrli_store *store;
    uint16_t period;
    bool (*stay)(struct hrli_queue_node *first,
                 uint32_t counts); /* as in struct hrli_short_parts */
    hrl_stamp (*last)(void); /* the cell's last instant that has come. Context: interrupts masked */
    bool (*is_late)(void);   /* the cell's: the next instant has passed, too */
    void (*advance)(void);   /* the cell's next instant is a period later */
};

/* Counts for the first node from now on; true: it is due. Context: the store's owner, interrupts masked. */
static inline bool hrli_counting_aim(const struct hrli_counting_parts *parts)
{
    struct hrli_counting *releaser = parts->releaser;
    const struct hrli_queue_node *first = parts->store->first(parts->queue);
    hrl_stamp next = parts->last() + 1u;
    uint32_t ahead = first == NULL ? UINT32_MAX : first->key - next;
    bool is_due = first != NULL && hrli_stamp_after(next, first->key);

    parts->alarms->is_near = ahead <= UINT16_MAX;
    if (is_due) {
        ahead = 0;
    } else if (ahead > UINT16_MAX) {
        ahead = UINT16_MAX;
    }
    releaser->left = (uint16_t)ahead;
    return is_due;
}

/* Releases all that is due at the instants that have come. Context: the store's owner, interrupts masked. */
static inline void hrli_counting_serve(const struct hrli_counting_parts *parts)
{
    struct hrli_counting *releaser = parts->releaser;

    do {
        parts->store->release_due(&releaser->base, parts->queue, parts->last());
    } while (hrli_counting_aim(parts));
}

/*
 * As hrli_periodic_put. Context: a thread, dispatch held off, interrupts enabled.
 */
static inline void hrli_counting_put(const struct hrli_counting_parts *parts,
                                     struct hrli_queue_node *node)
{
    struct hrli_releaser *base = &parts->releaser->base;

    hrli_releaser_begin_use(base);
    if (parts->store->insert(parts->queue, node)) {
        hrlp_irq_state state = hrlp_irq_lock();

        if (hrli_counting_aim(parts)) {
            base->deferred = true;
        }
        hrlp_irq_unlock(state);
    }
    hrli_releaser_leave(base);
}

/* The handler's rest: all but the usual case. Context: the cell's handler. */
static inline void hrli_counting_rest(const struct hrli_counting_parts *parts)
{
    struct hrli_counting *releaser = parts->releaser;

    while (parts->is_late()) {
        parts->advance();
    }
    if (releaser->base.busy) {
        parts->alarms->is_near = false;
        releaser->left = 0; /* the next interrupt looks again */
        releaser->base.deferred = true;
        return;
    }
    hrli_counting_serve(parts);
    hrli_core_dispatch_after_interrupt();
}

/* The `moved` of hrli_counting_interrupt. Context: the cell's handler. */
static inline void hrli_counting_move(const struct hrli_counting_parts *parts,
                                      struct hrl_alarm *alarm, uint32_t counts,
                                      void (*put_off)(struct hrli_queue_node *first, hrl_stamp key))
{
    put_off(&alarm->timeout.node, alarm->timeout.node.key + counts);
    hrli_short_alarm_act(alarm, alarm->timeout.state);
    hrli_counting_serve(parts);
    hrli_core_dispatch_after_interrupt();
}

/*
 * The usual case: a short alarm is due, and stays the first. `moved` serves one that does not. False: what is left is
 * to be served. Context: the cell's handler, in time, after its entry, which has borrowed.
 */
static inline __attribute__((always_inline)) bool
hrli_counting_interrupt(const struct hrli_counting_parts *parts,
                        void (*moved)(struct hrl_alarm *alarm, uint32_t counts))
{
    struct hrli_counting *releaser = parts->releaser;
    struct hrli_queue_node *first;
    struct hrl_alarm *alarm;
    uint16_t counts;
    uint8_t state;

    if (!parts->alarms->is_near || releaser->base.busy) {
        return false;
    }
    first = parts->store->first(parts->queue);
    if (first == NULL) {
        __builtin_unreachable(); /* it is near */
    }
    alarm = (struct hrl_alarm *)first;
    state = alarm->timeout.state;
    counts = hrlp_cpu_load_low(&alarm->period.counts);
    if ((uint8_t)(state - HRLI_TIMEOUT_SHORT) >= HRLI_TIMEOUT_FAR - HRLI_TIMEOUT_SHORT ||
        counts < parts->period) { /* the next may be due, too */
        return false;
    }
    if ((state & HRLI_TIMEOUT_PARTS) != 0) {
        counts = (uint16_t)hrli_short_alarm_counts(&alarm->period, counts);
    }
    releaser->left = (uint16_t)(releaser->left + counts);
    if (!parts->stay(first, counts)) {
        moved(alarm, counts);
        return true;
    }
    hrli_short_alarm_act(alarm, alarm->timeout.state); /* loaded again: a register less is kept */
    return parts->alarms->is_near; /* else the action has made another the first */
}

#endif
