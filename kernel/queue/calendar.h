/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CALENDAR_H
#define HRLI_CALENDAR_H

#include "instant_set.h"
#include "stamp.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a sorted list with a calendar beside it that knows where to put a key.
 *
 * The list holds every node in order, so that the first, iteration and FIFO among equals are a
 * list's. Time ahead is cut into slots of 2^shift counts, of which so many as there are slots are
 * kept, from `base` to `limit`; a bitmap of two levels says which hold anything. An instant is
 * known by the last node of its run of equals. A slot is a set of instants (instant_set.h): a chain
 * of up to three, or a tree. What lies beyond the limit is in one more such set, `far`.
 *
 * An insertion goes to its key's slot, finds the run that it belongs to or behind, and links itself
 * into the list there; an empty slot finds the slot before by the bitmap. As time goes on, an
 * insertion beyond the limit lets the slots begin where the first node is, and instants of `far`
 * that they now reach move over, one with an insertion, and only in the index: the list is sorted
 * already. While some have not moved yet the limit is where they begin.
 *
 * Costs: first O(1). Insert O(1) while the slot has at most three instants, else O(log m), m being
 * its instants, in order of time or not. Pop and removal likewise; pop within a run of equals is a
 * list's. A move out of a crowded `far` is O(log m), too; only insertions that ended in a chain do
 * one, so that none does more than one thing of that cost.
 *
 * Source: ours; a calendar queue (Brown 1988) has lists in its slots and no list of all.
 */
struct hrli_calendar {
    struct hrli_queue_node head; /* of the list, a ring */
    hrl_stamp base;              /* the first slot begins here; keys before it are in it, too */
    uint32_t direct;          /* keys less than this after the base are in slots; 0: look closer */
    uint32_t shift;           /* a slot is 2^shift counts */
    uint32_t mask;            /* slots - 1 */
    hrli_instant_link *slots; /* a set each */
    uint32_t *occupied;       /* a bit a slot */
    uint32_t words_occupied;  /* a bit a word of that */
    hrl_stamp origin;         /* a key that was first: all keys are less than 2^31 from it */
    hrl_stamp limit;          /* what lies before this is in slots, the rest in `far` */
    hrli_instant_link far;    /* as a slot */
    hrl_stamp far_key;        /* its earliest, unless it is empty */
    uint32_t loose;           /* nodes that are in the list, and in no set */
};

/* Words of `occupied` for so many slots. */
#define HRLI_CALENDAR_WORDS(slot_count) (((slot_count) + 31u) / 32u)

/*
 * Makes the calendar empty. `slots` has `slot_count` elements, a power of two from 32 to 1024,
 * `occupied` HRLI_CALENDAR_WORDS(slot_count); slot_count << shift is less than 2^30.
 */
void hrli_calendar_init(struct hrli_calendar *calendar, hrli_instant_link *slots,
                        uint32_t *occupied, uint32_t slot_count, uint32_t shift);

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_calendar_first(struct hrli_calendar *calendar)
{
    struct hrli_queue_node *first = calendar->head.next;

    if (first == NULL) {
        __builtin_unreachable(); /* a ring: callers need not test the result twice */
    }
    return first == &calendar->head ? NULL : first;
}

/* Takes `node`, which is in the calendar, out of it. */
void hrli_calendar_remove(struct hrli_calendar *calendar, struct hrli_queue_node *node);

/* Takes out what `first` returned. */
void hrli_calendar_pop(struct hrli_calendar *calendar, struct hrli_queue_node *first);

/*
 * Puts `node`, which has its key set, behind all nodes that are not later. Returns whether it is
 * now the first.
 */
bool hrli_calendar_insert(struct hrli_calendar *calendar, struct hrli_queue_node *node);

/*
 * For a store that short sleeps come and go in: near the head of the list a look at the first nodes
 * finds the place for less than the index costs, which such a node stays out of, as long as few do.
 * It is loose: in a run of equals before those that are not. A queue is used by
 * these calls, or by those above: this is the queue `loose_calendar`.
 */
#define HRLI_CALENDAR_LOOSE                                                                        \
    UINTPTR_MAX /* in spare[HRLI_INSTANT_LATER], where no link looks like it */
enum { HRLI_CALENDAR_MOST_LOOSE = 8, HRLI_CALENDAR_LOOKS = 4 };
#define hrli_loose_calendar hrli_calendar
#define hrli_loose_calendar_first hrli_calendar_first

static inline bool hrli_calendar_is_loose(const struct hrli_queue_node *node)
{
    return node->spare[HRLI_INSTANT_LATER] == HRLI_CALENDAR_LOOSE;
}

/* Takes out what `first` returned. */
static inline void hrli_loose_calendar_pop(struct hrli_calendar *calendar,
                                           struct hrli_queue_node *first)
{
    if (hrli_calendar_is_loose(first)) {
        struct hrli_queue_node *next = first->next;

        calendar->loose--;
        calendar->head.next = next;
        next->previous = &calendar->head;
    } else {
        hrli_calendar_pop(calendar, first);
    }
}

/* Takes out `node`, which is in. */
static inline void hrli_loose_calendar_remove(struct hrli_calendar *calendar,
                                              struct hrli_queue_node *node)
{
    if (hrli_calendar_is_loose(node)) {
        calendar->loose--;
        node->previous->next = node->next;
        node->next->previous = node->previous;
    } else {
        hrli_calendar_remove(calendar, node);
    }
}

/* As hrli_calendar_insert. */
static inline __attribute__((always_inline)) bool
hrli_loose_calendar_insert(struct hrli_calendar *calendar, struct hrli_queue_node *node)
{
    struct hrli_queue_node *before = &calendar->head;
    hrl_stamp key = node->key;
    uint32_t loose = calendar->loose;

    if (loose < HRLI_CALENDAR_MOST_LOOSE) {
        for (int looks = HRLI_CALENDAR_LOOKS; looks != 0; looks--) {
            struct hrli_queue_node *next = before->next;

            if (next == &calendar->head || hrli_stamp_after(next->key, key)) {
                if (before != &calendar->head && before->key == key &&
                    !hrli_calendar_is_loose(before)) {
                    break;
                }
                calendar->loose = loose + 1u;
                node->spare[HRLI_INSTANT_LATER] = HRLI_CALENDAR_LOOSE;
                node->next = next;
                node->previous = before;
                next->previous = node;
                before->next = node;
                return before == &calendar->head;
            }
            before = next;
        }
    }
    return hrli_calendar_insert(calendar, node);
}

/* For kernel/assemble/store.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_calendar(name, nodes, slots, bits)                                             \
    static hrli_instant_link name##_slots[slots];                                                  \
    static uint32_t name##_occupied[HRLI_CALENDAR_WORDS(slots)];
#define HRLI_INIT_calendar(name, nodes, slots, bits)                                               \
    hrli_calendar_init(&(name), name##_slots, name##_occupied, slots, bits)
#define HRLI_ARRAYS_loose_calendar HRLI_ARRAYS_calendar
#define HRLI_INIT_loose_calendar HRLI_INIT_calendar

#endif
