/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calendar.h"
#include "stamp.h"

typedef struct hrli_queue_node node_t;

enum {
    EARLIER = HRLI_INSTANT_EARLIER,
    LATER = HRLI_INSTANT_LATER,
    PLACE = HRLI_INSTANT_PLACE,
    COVERED = HRLI_CALENDAR_COVERED,
    CHAINED = HRLI_CALENDAR_CHAINED
};

#define HALF_THE_CIRCLE ((hrl_stamp)1 << 31)

/* Keeps rare code out of the usual path, which then needs fewer registers to be saved. */
#define HRLI_NOT_INLINE __attribute__((noinline))

/* The next in the chain, or its head. */
static inline node_t *later(const node_t *node)
{
    return (node_t *)(uintptr_t)node->spare[LATER];
}

static inline node_t *earlier(const node_t *node)
{
    return (node_t *)(uintptr_t)node->spare[EARLIER];
}

static inline void chain_pair(node_t *node, node_t *next)
{
    node->spare[LATER] = (uintptr_t)next;
    next->spare[EARLIER] = (uintptr_t)node;
}

void hrli_calendar_init(struct hrli_calendar *calendar)
{
    calendar->head.next = &calendar->head;
    calendar->head.previous = &calendar->head;
    calendar->head.key = 0;
    chain_pair(&calendar->head, &calendar->head);
    calendar->chained = 0;
    calendar->distant = NULL;
    hrli_instant_tree_init(&calendar->tree);
}

/* Puts `node` into the list, between two neighbours. */
static inline void link_between(node_t *before, node_t *node, node_t *after)
{
    node->next = after;
    node->previous = before;
    after->previous = node;
    before->next = node;
}

/* The chain is too long: its last instant becomes the first of the tree. */
HRLI_NOT_INLINE static void shorten_chain(struct hrli_calendar *calendar)
{
    node_t *last = earlier(&calendar->head);
    node_t *above = calendar->distant;

    calendar->chained--;
    chain_pair(earlier(last), &calendar->head);
    calendar->distant = last;
    hrli_instant_tree_insert(above != NULL ? above : &calendar->tree, EARLIER, last);
}

/* `node` is an instant now, the one before `after` in the chain. */
static inline void chain_before(struct hrli_calendar *calendar, node_t *node, node_t *after)
{
    uint32_t chained = calendar->chained;

    chain_pair(earlier(after), node);
    chain_pair(node, after);
    node->spare[PLACE] = CHAINED;
    calendar->chained = chained + 1u;
    if (chained == HRLI_CALENDAR_NEXT) {
        shorten_chain(calendar);
    }
}

/*
 * `node` is earlier than what is left of a run that began to be popped: that becomes an instant
 * again, the first, and then `node` does.
 */
HRLI_NOT_INLINE static bool insert_before_a_rest(struct hrli_calendar *calendar, node_t *node)
{
    node_t *rest = calendar->head.next;

    chain_before(calendar, rest, later(&calendar->head));
    chain_before(calendar, node, rest);
    link_between(&calendar->head, node, rest);
    return true;
}

/* Puts in `node`, of which the key is not before the tree's first. */
HRLI_NOT_INLINE static bool insert_distant(struct hrli_calendar *calendar, node_t *node)
{
    hrl_stamp key = node->key;
    node_t *at = hrli_instant_below(&calendar->tree, EARLIER);
    node_t *after = &calendar->head, *until = calendar->distant, *before;

    do { /* two loops, which is quicker than one with a choice */
        while (at != NULL && hrli_stamp_branch_after(at->key, key)) {
            after = at;
            at = hrli_instant_below(at, EARLIER);
        }
        while (at != NULL && !hrli_stamp_branch_after(at->key, key)) {
            until = at;
            at = hrli_instant_below(at, LATER);
        }
    } while (at != NULL);
    before = after->previous;
    link_between(before, node, after);
    if (before->key == key) {
        node->spare[PLACE] = COVERED;
    } else if (hrli_instant_below(until, LATER) == NULL) {
        hrli_instant_tree_insert(until, LATER, node);
    } else {
        hrli_instant_tree_insert(after, EARLIER, node);
    }
    return false;
}

/* Puts in `node`, unless its key is that of the last insertion. */
static inline __attribute__((always_inline)) bool insert_near(struct hrli_calendar *calendar,
                                                              node_t *node)
{
    hrl_stamp key = node->key;
    node_t *at, *after, *before;

    if (calendar->distant != NULL && !hrli_stamp_after(calendar->distant->key, key)) {
        return insert_distant(calendar, node);
    }
    at = later(&calendar->head);
    while (!hrli_stamp_branch_after(at->key, key)) { /* the head's is after it */
        at = later(at);
    }
    after = at == &calendar->head && calendar->distant != NULL ? calendar->distant : at;
    before = after->previous;
    if (before->key == key) {
        node->spare[PLACE] = COVERED;
        link_between(before, node, after);
        return false;
    }
    if (earlier(at) == &calendar->head && before != &calendar->head &&
        hrli_stamp_after(before->key, key)) {
        return insert_before_a_rest(calendar, node);
    }
    link_between(before, node, after);
    chain_before(calendar, node, at);
    return before == &calendar->head;
}

bool hrli_calendar_insert(struct hrli_calendar *calendar, node_t *node)
{
    hrl_stamp key = node->key, opposite = key ^ HALF_THE_CIRCLE;
    const node_t *first = calendar->head.next;
    node_t *recent;

    if (calendar->head.key == opposite && !hrli_stamp_branch_after(first->key, key)) {
        recent = calendar->recent;
        node->spare[PLACE] = COVERED;
        link_between(recent, node, recent->next);
        calendar->recent = node;
        return false;
    }
    calendar->head.key = opposite;
    calendar->recent = node;
    return insert_near(calendar, node);
}

/* After the tree's first instant has left it, of which these were the neighbours. */
static inline node_t *next_distant(struct hrli_calendar *calendar, const node_t *first)
{
    node_t *next = hrli_instant_below(first, LATER);

    if (next == NULL) {
        next = hrli_instant_above(first);
    }
    return next == &calendar->tree ? NULL : next;
}

/* `node` leaves the tree. */
HRLI_NOT_INLINE static void forget_distant(struct hrli_calendar *calendar, node_t *node)
{
    if (node == calendar->distant) {
        calendar->distant = next_distant(calendar, node);
        hrli_instant_tree_remove_first(node);
    } else {
        hrli_instant_tree_remove(node);
    }
}

/* `node`, an instant, is in no list any more; `heir` stands for it now, if it is not NULL. */
static void forget(struct hrli_calendar *calendar, node_t *node, node_t *heir)
{
    if (node->spare[PLACE] == CHAINED) {
        if (heir != NULL) {
            chain_pair(earlier(node), heir);
            chain_pair(heir, later(node));
            heir->spare[PLACE] = CHAINED;
        } else {
            chain_pair(earlier(node), later(node));
            calendar->chained--;
        }
    } else if (heir != NULL) {
        hrli_instant_tree_replace(node, heir);
        if (node == calendar->distant) {
            calendar->distant = heir;
        }
    } else {
        forget_distant(calendar, node);
    }
}

void hrli_calendar_remove(struct hrli_calendar *calendar, node_t *node)
{
    node_t *next = node->next;
    node_t *previous = node->previous;

    previous->next = next;
    next->previous = previous;
    if (node == calendar->recent) { /* no key that may come is found equal to its key now */
        calendar->head.key = (calendar->head.next->key - 1u) ^ HALF_THE_CIRCLE;
    }
    if (node->spare[PLACE] != COVERED) {
        forget(calendar, node, next != &calendar->head && next->key == node->key ? next : NULL);
    }
}

void hrli_calendar_pop(struct hrli_calendar *calendar, node_t *first)
{
    node_t *next = first->next;
    uint32_t chained;

    calendar->head.next = next;
    next->previous = &calendar->head;
    if (first->spare[PLACE] == COVERED) {
        return;
    }
    chained = calendar->chained;
    if (chained == 0) {
        forget_distant(calendar, first);
        return;
    }
    calendar->chained = chained - 1u;
    chain_pair(&calendar->head, later(first));
}
