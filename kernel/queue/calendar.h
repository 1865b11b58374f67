/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CALENDAR_H
#define HRLI_CALENDAR_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a sorted list with a calendar beside it that knows where to put a key.
 *
 * The list holds every node in order, so that the first, iteration and FIFO among equals are a list's.
 * Time ahead is cut into slots of 2^shift counts. A slot knows its instants (the last node of each run
 * of equal keys) by a small tree; a bitmap of two levels says which slots have any. An insertion goes to
 * its key's slot, finds the run that it belongs to or behind, and links itself into the list there; an
 * empty slot finds the slot before by the bitmap. Keys beyond the last slot are in one tree of their own
 * (`far`), whose earliest instants move into slots as time comes nearer: at most two with each insertion,
 * and only in the index, for the list is sorted already.
 *
 * The trees are treaps: their shape follows from a hash of the keys and not from the order in which they
 * come, so that no order of insertion is a bad one (only keys chosen against the hash could be). Costs, n nodes, m instants in the slot: insert O(1) + O(log m)
 * expected; first O(1); pop O(1) while its instant holds more nodes, else O(log m) expected; removal as
 * insertion. A slot with few instants is a slot with a few steps.
 *
 * Source: ours; the calendar queue of Brown (1988) has lists for slots, treaps are Seidel's and Aragon's
 * (1996).
 */
struct hrli_calendar {
    struct hrli_queue_node head;    /* of the list, a ring */
    struct hrli_queue_node **slots; /* each the root of a slot's tree */
    uint32_t *occupied;             /* a bit a slot */
    uint32_t words_occupied;        /* a bit a word of that */
    uint32_t mask;                  /* slots - 1 */
    uint32_t shift;                 /* a slot is 2^shift counts */
    hrl_stamp base;  /* where the first slot in use begins; keys before it are in it, too */
    hrl_stamp limit; /* what lies before this is in slots, the rest in `far` */
    struct hrli_queue_node *far;       /* root */
    struct hrli_queue_node *far_first; /* the earliest instant in `far` */
};

/* Words of `occupied` for so many slots. */
#define HRLI_CALENDAR_WORDS(slot_count) (((slot_count) + 31u) / 32u)

/*
 * Makes the calendar empty. `slots` has `slot_count` elements, a power of two from 32 to 1024, `occupied`
 * HRLI_CALENDAR_WORDS(slot_count); slot_count << shift is less than 2^30.
 */
void hrli_calendar_init(struct hrli_calendar *calendar, struct hrli_queue_node **slots,
                        uint32_t *occupied, uint32_t slot_count, uint32_t shift);

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_calendar_first(struct hrli_calendar *calendar)
{
    struct hrli_queue_node *first = calendar->head.next;
    return first == &calendar->head ? NULL : first;
}

/* Takes `node`, which is in the calendar, out of it. */
void hrli_calendar_remove(struct hrli_calendar *calendar, struct hrli_queue_node *node);

/* Takes out what `first` returned. */
void hrli_calendar_pop(struct hrli_calendar *calendar, struct hrli_queue_node *first);

/* Puts `node`, whose key is set, behind all that are not later. Returns whether it is now the first. */
bool hrli_calendar_insert(struct hrli_calendar *calendar, struct hrli_queue_node *node);

#endif
