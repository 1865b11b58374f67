/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_READY_SET_H
#define HRLI_READY_SET_H

#include "hrlp_cpu.h"
#include <hrl/objects.h>
#include <stddef.h>

/*
 * The ready set of one core: a ring of nodes for each level, and words that say which are occupied.
 * With more than one word, another says which words are not 0; with one, all that has to do with it
 * goes at compile time.
 *
 * First come, first out within a level. Every call is O(1). Callers mask interrupts, or are the
 * only ones who can touch the set.
 */
#define HRLI_READY_WORDS (HRL_LEVELS / 32u)
_Static_assert(HRL_LEVELS % 32u == 0 && HRLI_READY_WORDS >= 1 && HRLI_READY_WORDS <= 32,
               "HRL_LEVELS is a multiple of 32, up to 1,024");

struct hrli_ready_set {
    uint32_t occupied[HRLI_READY_WORDS]; /* bit n of word w: level 32 w + n holds a node */
    uint32_t words;                      /* bit w: word w is not 0; not used if there is one */
    struct hrli_ready_link levels[HRL_LEVELS];
};

/* Makes the set empty. */
void hrli_ready_init(struct hrli_ready_set *set);

static inline uint32_t hrli_ready_word(uint32_t level)
{
    return HRLI_READY_WORDS == 1 ? 0 : level / 32u;
}

static inline uint32_t hrli_ready_bit(uint32_t level)
{
    return (uint32_t)1 << (HRLI_READY_WORDS == 1 ? level : level % 32u);
}

static inline void hrli_ready_occupy(struct hrli_ready_set *set, uint32_t level)
{
    uint32_t word = hrli_ready_word(level);

    set->occupied[word] |= hrli_ready_bit(level);
    if (HRLI_READY_WORDS > 1) {
        set->words |= (uint32_t)1 << word;
    }
}

static inline void hrli_ready_vacate(struct hrli_ready_set *set, uint32_t level)
{
    uint32_t word = hrli_ready_word(level);

    set->occupied[word] &= ~hrli_ready_bit(level);
    if (HRLI_READY_WORDS > 1 && set->occupied[word] == 0) {
        set->words &= ~((uint32_t)1 << word);
    }
}

/* Adds `node`, which is in no set, behind the others of its level. */
static inline void hrli_ready_add(struct hrli_ready_set *set, struct hrli_ready_node *node)
{
    struct hrli_ready_link *ring = &set->levels[node->level];
    struct hrli_ready_link *last = ring->previous;

    node->link.next = ring;
    node->link.previous = last;
    last->next = &node->link;
    ring->previous = &node->link;
    hrli_ready_occupy(set, node->level);
}

/* Takes `node` out of the set that it is in. */
static inline void hrli_ready_remove(struct hrli_ready_set *set, struct hrli_ready_node *node)
{
    struct hrli_ready_link *next = node->link.next;
    struct hrli_ready_link *previous = node->link.previous;

    next->previous = previous;
    previous->next = next;
    if (next == previous) { /* only the ring itself is left */
        hrli_ready_vacate(set, node->level);
    }
}

/*
 * Whether `node`, which has been in, is in. Who leaves keeps its links, and from then on the one
 * that was behind it has another in front; so nothing needs to be stored on leaving.
 */
static inline bool hrli_ready_is_in(const struct hrli_ready_node *node)
{
    return node->link.next->previous == &node->link;
}

/* The same of any node, of this set or none. */
static inline bool hrli_ready_contains(const struct hrli_ready_node *node)
{
    return node->link.next != NULL && hrli_ready_is_in(node);
}

/* Puts `node`, which is in no set, before the others of its level. */
static inline void hrli_ready_add_first(struct hrli_ready_set *set, struct hrli_ready_node *node)
{
    struct hrli_ready_link *ring = &set->levels[node->level];
    struct hrli_ready_link *second = ring->next;

    node->link.next = second;
    node->link.previous = ring;
    second->previous = &node->link;
    ring->next = &node->link;
    hrli_ready_occupy(set, node->level);
}

/*
 * `first`, the first of its level, becomes the last, and what was the second is returned; NULL, and
 * nothing done, if it is alone. The ring stays as it is but for its entry, which moves on by one.
 */
static inline struct hrli_ready_node *hrli_ready_rotate(struct hrli_ready_node *first)
{
    struct hrli_ready_link *ring = first->link.previous;
    struct hrli_ready_link *second = first->link.next;
    struct hrli_ready_link *last = ring->previous;

    if (second == ring) {
        return NULL;
    }
    last->next = &first->link;
    first->link.previous = last;
    first->link.next = ring;
    ring->previous = &first->link;
    ring->next = second;
    second->previous = ring;
    return (struct hrli_ready_node *)second;
}

/* The highest occupied level. The set is not empty: the idle thread never leaves it. */
static inline uint32_t hrli_ready_top(const struct hrli_ready_set *set)
{
    uint32_t word = HRLI_READY_WORDS == 1 ? 0 : hrlp_cpu_highest_bit(set->words);

    return 32u * word + hrlp_cpu_highest_bit(set->occupied[word]);
}

/* The node that has waited longest in the highest occupied level. */
static inline struct hrli_ready_node *hrli_ready_first(struct hrli_ready_set *set)
{
    return (struct hrli_ready_node *)set->levels[hrli_ready_top(set)].next;
}

#endif
