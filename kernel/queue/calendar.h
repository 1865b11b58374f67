/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CALENDAR_H
#define HRLI_CALENDAR_H

#include "instant_tree.h"
#include "stamp.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a sorted list with a calendar beside it, of its instants, that knows where to put a
 * key.
 *
 * The list holds every node in order, so that the first, iteration and FIFO among equals are a
 * list's. An instant is known by the first node of its run of equals; the others are in the list
 * only. The next instants, up to HRLI_CALENDAR_NEXT of them, are a chain; those after them are a
 * tree (instant_tree.h). An instant leaves the calendar with the first of its nodes that is popped;
 * what is left of its run is then before all instants.
 *
 * An insertion with the key of the one before goes right behind it. Any other looks for the first
 * instant after its key, through the chain or down the tree, and goes before that one's node in the
 * list. It is an instant itself unless what is before it there is its equal. When the chain gets too
 * long its last instant moves to the tree, of which it is the first: that needs no search.
 *
 * Costs, m instants: first O(1). Insert O(1) while the key is before the tree, else O(log m). Pop
 * O(1) within a run or from the chain, else O(log m), on average O(1): nothing is looked for.
 *
 * Source: ours.
 */
struct hrli_calendar {
    /*
     * Of the list, a ring, and by its spare words of the chain, another. Its key is half the
     * circle of stamps away from that of the last insertion: after it and before it.
     */
    struct hrli_queue_node head;
    struct hrli_queue_node *recent;  /* the last insertion, if it is still in */
    struct hrli_queue_node *distant; /* the first instant of the tree, or NULL */
    uint32_t chained;                /* instants in the chain */
    struct hrli_queue_node tree;
};

/* Instants in the chain at most. */
enum { HRLI_CALENDAR_NEXT = 32 };

/* In spare[HRLI_INSTANT_PLACE] of nodes that are in no tree. */
enum { HRLI_CALENDAR_COVERED = 0, HRLI_CALENDAR_CHAINED = 1 };

/* Makes the calendar empty. */
void hrli_calendar_init(struct hrli_calendar *calendar);

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

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_calendar(name, nodes, slots, bits)
#define HRLI_INIT_calendar(name, nodes, slots, bits) hrli_calendar_init(&(name))

#endif
