/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_READY_QUEUE_H
#define HRLI_READY_QUEUE_H

#include "hrlp_cpu.h"
#include "release_mask.h"
#include <hrl/objects.h>
#include <stddef.h>

/*
 * The ready queue of one core: for each level a ring of nodes, and words that say which levels are
 * occupied. With more than one word, another says which words are not 0; with one word, the
 * compiler removes all code for that. It also removes all code for threads that masks release
 * (release_mask.h) where there are none.
 *
 * With HRL_OWN_PRIORITIES every thread stands in its level's ring for ever, and is ready if its level is
 * occupied; the compiler removes all changes to rings.
 *
 * First come, first out within a ring. Threads of a level that are ready as bits come before those
 * in its ring, the highest bit first. Every call is O(1). Callers mask interrupts, or nothing else
 * can touch the queue during the call.
 */
#define HRLI_READY_WORDS ((HRL_PRIORITIES + 31u) / 32u)
_Static_assert(HRL_RELEASE_PRIORITIES == 0 || (HRL_RELEASE_MASKS && HRL_PRIORITIES <= 32),
               "levels are released as the bits of one word");
_Static_assert(HRL_OWN_PRIORITIES + HRL_RELEASE_MASKS <= 1 &&
                   HRL_OWN_PRIORITIES + HRL_BASIC_TASKS <= 1,
               "neither masks nor basic tasks beside threads with levels of their own");
_Static_assert(HRL_PRIORITIES == 4 || HRL_PRIORITIES == 8 || HRL_PRIORITIES == 16 ||
                   (HRL_PRIORITIES % 32u == 0 && HRLI_READY_WORDS >= 1 && HRLI_READY_WORDS <= 32),
               "HRL_PRIORITIES is 4, 8, 16, or a multiple of 32, up to 1,024");

/* A word of levels, of which there may be few where words of 32 bits are dear. */
#if HRL_PRIORITIES <= 8 && !HRLP_CPU_IS_SHORT /* as the field's type depends on it */
typedef uint8_t hrli_ready_levels;
#elif HRL_PRIORITIES == 16 && !HRLP_CPU_IS_SHORT /* likewise */
typedef uint16_t hrli_ready_levels;
#else
typedef uint32_t hrli_ready_levels;
#endif

struct hrli_ready_queue {
#if !HRLP_CPU_IS_SHORT                             /* as the words would be too far away */
    struct hrli_ready_link levels[HRL_PRIORITIES]; /* first: a ring is found by one addition */
#endif
    hrli_ready_levels
        occupied[HRLI_READY_WORDS]; /* bit n of word w: level 32 w + n has a ready node */
#if HRLP_CPU_IS_SHORT               /* likewise: behind what is used most */
    struct hrli_ready_link levels[HRL_PRIORITIES];
#endif
    hrli_ready_levels words; /* bit w: word w is not 0; not used if there is one */
#if HRL_RELEASE_MASKS        /* as it is three words for each level */
    struct hrli_masked_threads masked;
#endif
};

/* The threads of `queue` that masks release; not called for a queue without them. */
static inline struct hrli_masked_threads *hrli_ready_masked(struct hrli_ready_queue *queue)
{
#if HRL_RELEASE_MASKS /* as the queue has the field */
    return &queue->masked;
#else
    (void)queue;
    return NULL;
#endif
}

/* Makes the queue empty. */
void hrli_ready_init(struct hrli_ready_queue *queue);

static inline hrli_level hrli_ready_word(hrli_level level)
{
    return HRLI_READY_WORDS == 1 ? 0 : level / 32u;
}

static inline hrli_ready_levels hrli_ready_bit(hrli_level level)
{
    if (HRLP_CPU_IS_NARROW && !HRLI_SMALL && HRL_PRIORITIES <= 16) {
        return (hrli_ready_levels)hrlp_cpu_bit((uint8_t)level);
    }
    return (hrli_ready_levels)((hrli_ready_levels)1
                               << (HRLI_READY_WORDS == 1 ? level : level % 32u));
}

static inline void hrli_ready_occupy(struct hrli_ready_queue *queue, hrli_level level)
{
    hrli_level word = hrli_ready_word(level);

    queue->occupied[word] |= hrli_ready_bit(level);
    if (HRLI_READY_WORDS > 1) {
        queue->words |= (hrli_ready_levels)1 << word;
    }
}

static inline void hrli_ready_vacate(struct hrli_ready_queue *queue, hrli_level level)
{
    hrli_level word = hrli_ready_word(level);

    queue->occupied[word] &= (hrli_ready_levels)~hrli_ready_bit(level);
    if (HRLI_READY_WORDS > 1 && queue->occupied[word] == 0) {
        queue->words &= (hrli_ready_levels) ~((hrli_ready_levels)1 << word);
    }
}

static inline bool hrli_ready_is_occupied(const struct hrli_ready_queue *queue, hrli_level level)
{
    return (queue->occupied[hrli_ready_word(level)] & hrli_ready_bit(level)) != 0;
}

static inline bool hrli_ready_is_ring_empty(const struct hrli_ready_queue *queue, hrli_level level)
{
    return queue->levels[level].next == &queue->levels[level];
}

static inline bool hrli_ready_has_bits(struct hrli_ready_queue *queue, hrli_level level)
{
    return HRL_RELEASE_MASKS && hrli_ready_masked(queue)->ready[level] != 0;
}

/* Whether `node`, which is not alone on its level, is in as a bit. */
static inline bool hrli_ready_is_bit(struct hrli_ready_queue *queue,
                                     const struct hrli_ready_node *node)
{
    return HRL_RELEASE_MASKS && hrli_masked_is_ready(hrli_ready_masked(queue), node);
}

/* Adds `node` as a bit, if it is one at its level. */
static inline bool hrli_ready_add_bit(struct hrli_ready_queue *queue, struct hrli_ready_node *node)
{
    if (!HRL_RELEASE_MASKS || !hrli_masked_takes(node)) {
        return false;
    }
    hrli_ready_masked(queue)->ready[node->priority] |= hrli_mask_bit(node);
    hrli_ready_occupy(queue, node->priority);
    return true;
}

/* Takes `node` out if it is in as a bit. */
static inline bool hrli_ready_remove_bit(struct hrli_ready_queue *queue,
                                         struct hrli_ready_node *node)
{
    hrli_level level = hrli_mask_level(node);

    if (!hrli_ready_is_bit(queue, node)) {
        return false;
    }
    hrli_ready_masked(queue)->ready[level] &= ~hrli_mask_bit(node);
    if (!hrli_ready_has_bits(queue, level) && hrli_ready_is_ring_empty(queue, level)) {
        hrli_ready_vacate(queue, level);
    }
    return true;
}

/* Adds `node`, which is in no queue, to the ring of its level, behind the others. */
static inline void hrli_ready_add_to_ring(struct hrli_ready_queue *queue,
                                          struct hrli_ready_node *node)
{
    struct hrli_ready_link *ring = &queue->levels[node->priority];
    struct hrli_ready_link *last = ring->previous;

    node->link.next = ring;
    node->link.previous = last;
    last->next = &node->link;
    ring->previous = &node->link;
    if (!HRLP_CPU_IS_NARROW || last == ring) { /* else its level is occupied */
        hrli_ready_occupy(queue, node->priority);
    }
}

/* Adds `node`, which is in no queue, behind the others of its level, or as a bit. */
static inline void hrli_ready_add(struct hrli_ready_queue *queue, struct hrli_ready_node *node)
{
    if (hrli_mask_is_alone(node)) {
        hrli_ready_occupy(queue, node->priority);
    } else if (!hrli_ready_add_bit(queue, node)) {
        hrli_ready_add_to_ring(queue, node);
    }
}

/*
 * Puts `node`, which is alone on its level, into its ring for good; it is not ready yet. Context:
 * start-up.
 */
static inline void hrli_ready_stand_alone(struct hrli_ready_queue *queue,
                                          struct hrli_ready_node *node)
{
    hrli_ready_add_to_ring(queue, node);
    hrli_ready_vacate(queue, node->priority);
}

/* Takes `node` out of the ring that it is in. */
static inline void hrli_ready_remove_from_ring(struct hrli_ready_queue *queue,
                                               struct hrli_ready_node *node)
{
    struct hrli_ready_link *next = node->link.next;
    struct hrli_ready_link *previous = node->link.previous;

    next->previous = previous;
    previous->next = next;
    if (__builtin_expect(next == previous, 1) && /* only the ring is left */
        !hrli_ready_has_bits(queue, node->priority)) {
        hrli_ready_vacate(queue, node->priority);
    }
}

/* Takes `node` out of the queue that it is in. */
static inline void hrli_ready_remove(struct hrli_ready_queue *queue, struct hrli_ready_node *node)
{
    if (hrli_mask_is_alone(node)) {
        hrli_ready_vacate(queue, node->priority);
    } else if (!hrli_ready_remove_bit(queue, node)) {
        hrli_ready_remove_from_ring(queue, node);
    }
}

/*
 * Whether `node`, which has been in a ring, is in one. A node that leaves keeps its links, and from
 * then on the node that was behind it has another in front; so nothing needs to be stored on
 * leaving.
 */
static inline bool hrli_ready_is_in_ring(const struct hrli_ready_node *node)
{
    return node->link.next->previous == &node->link;
}

/* From now on hrli_ready_is_in may be asked of `node`, which may never have been in. */
static inline void hrli_ready_is_out(struct hrli_ready_node *node)
{
    node->link.next = &node->link;
    node->link.previous = NULL;
}

/* Whether `node`, of this set or none, is in. */
static inline bool hrli_ready_contains(struct hrli_ready_queue *queue,
                                       const struct hrli_ready_node *node)
{
    if (hrli_mask_is_alone(node)) {
        return hrli_ready_is_occupied(queue, node->priority);
    }
    return hrli_ready_is_bit(queue, node) ||
           (node->link.next != NULL && hrli_ready_is_in_ring(node));
}

/* As hrli_ready_contains, of a node that has been in. A bit may never have been in a ring. */
static inline bool hrli_ready_is_in(struct hrli_ready_queue *queue,
                                    const struct hrli_ready_node *node)
{
    return HRL_RELEASE_MASKS || HRL_OWN_PRIORITIES ? hrli_ready_contains(queue, node)
                                                   : hrli_ready_is_in_ring(node);
}

/*
 * Puts `node`, which is in no queue, before the others of its level; among bits, each has its place.
 */
static inline void hrli_ready_add_first(struct hrli_ready_queue *queue,
                                        struct hrli_ready_node *node)
{
    struct hrli_ready_link *ring = &queue->levels[node->priority];
    struct hrli_ready_link *second = ring->next;

    if (hrli_ready_add_bit(queue, node)) {
        return;
    }
    node->link.next = second;
    node->link.previous = ring;
    second->previous = &node->link;
    ring->next = &node->link;
    hrli_ready_occupy(queue, node->priority);
}

/*
 * `first`, the first of its level's ring, becomes the last, and what was the second is returned;
 * NULL, and nothing done, if it is alone. The ring stays as it is but for its entry, which moves on
 * by one.
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

/* The first of an occupied level: of its bits, else of its ring. */
static inline struct hrli_ready_node *hrli_ready_first_of(struct hrli_ready_queue *queue,
                                                          hrli_level level)
{
    if (hrli_ready_has_bits(queue, level)) {
        return hrli_masked_first(hrli_ready_masked(queue), level);
    }
    return (struct hrli_ready_node *)queue->levels[level].next;
}

/*
 * `node`, which is in and runs, lets the others of its level go first: it becomes the last of the
 * ring. Returns the node that is first now; NULL if that is still `node`.
 */
static inline struct hrli_ready_node *hrli_ready_give_way(struct hrli_ready_queue *queue,
                                                          struct hrli_ready_node *node)
{
    struct hrli_ready_node *first;

    if (!HRL_RELEASE_MASKS) {
        return hrli_ready_rotate(node);
    }
    if (hrli_mask_is_alone(node)) {
        return NULL;
    }
    hrli_ready_remove(queue, node);
    hrli_ready_add_to_ring(queue, node);
    first = hrli_ready_first_of(queue, node->priority);
    return first == node ? NULL : first;
}

/* Whether no level is occupied: not so of a core's, as its idle thread never leaves it. */
static inline bool hrli_ready_is_empty(const struct hrli_ready_queue *queue)
{
    return HRLI_READY_WORDS == 1 ? queue->occupied[0] == 0 : queue->words == 0;
}

/* The highest occupied level. The queue is not empty: the idle thread never leaves it. */
static inline hrli_level hrli_ready_top(const struct hrli_ready_queue *queue)
{
    hrli_level word = (hrli_level)(HRLI_READY_WORDS == 1 ? 0 : hrlp_cpu_highest_bit(queue->words));

#if HRLP_CPU_IS_SHORT && HRL_PRIORITIES < 32 /* as the search is shorter then */
    if (queue->occupied[word] >> HRL_PRIORITIES != 0) {
        __builtin_unreachable();
    }
#endif
    return (hrli_level)(32u * word + hrlp_cpu_highest_bit(queue->occupied[word]));
}

/*
 * Adds `node`, which is in no set and is no bit of one, if none of its level or above it is in:
 * it is the first of all then. Costs less than hrli_ready_add and hrli_ready_first.
 */
static inline bool hrli_ready_add_above_all(struct hrli_ready_queue *queue,
                                            struct hrli_ready_node *node)
{
    struct hrli_ready_link *ring;

    if (HRLI_READY_WORDS > 1 || queue->occupied[0] >> node->priority != 0) {
        return false; /* or not known */
    }
    ring = &queue->levels[node->priority];
    queue->occupied[0] |= hrli_ready_bit(node->priority);
    node->link.next = ring;
    node->link.previous = ring;
    ring->next = &node->link;
    ring->previous = &node->link;
    return true;
}

/*
 * Whether `node`, which may be NULL or not exist any more, is the first of all, at `level`; false: it is not,
 * or that is not known without a search. A node is its link, so none is formed of what may be NULL.
 */
static inline bool hrli_ready_is_top(const struct hrli_ready_queue *queue,
                                     const struct hrli_ready_node *node, hrli_level level)
{
    return HRLI_READY_WORDS == 1 && !HRL_RELEASE_MASKS &&
           (hrli_ready_levels)(queue->occupied[0] >> level) == 1u &&
           (const struct hrli_ready_node *)queue->levels[level].next == node;
}

/*
 * Whether a level above `level`, 0 to HRL_PRIORITIES, is occupied: hrli_ready_top without its search,
 * where there is one word.
 */
static inline bool hrli_ready_is_above(const struct hrli_ready_queue *queue, hrli_level level)
{
    if (HRLI_READY_WORDS > 1) {
        return hrli_ready_top(queue) > level;
    }
    return ((HRLP_CPU_IS_SHORT && HRL_PRIORITIES < 32) || level < 32u) &&
           (hrli_ready_levels)(queue->occupied[0] >> level) > 1u;
}

/* The first of the highest occupied level. */
static inline struct hrli_ready_node *hrli_ready_first(struct hrli_ready_queue *queue)
{
    return hrli_ready_first_of(queue, hrli_ready_top(queue));
}

/* Gives `node`, which is not in, another level. Context: interrupts masked. */
static inline void hrli_ready_set_level(struct hrli_ready_queue *queue,
                                        struct hrli_ready_node *node, hrli_level level)
{
    if (HRL_RELEASE_PRIORITIES && level >= HRL_PRIORITIES) {
        __builtin_unreachable(); /* callers have checked it; for the analyser */
    }
    if (hrli_mask_bit(node) != 0) {
        hrli_ready_masked(queue)->displaced -= node->priority != hrli_mask_level(node);
        hrli_ready_masked(queue)->displaced += level != hrli_mask_level(node);
    }
    node->priority = level;
}

/*
 * Makes every waiting thread of `part` ready, as a bit; returns their bits. No thread is displaced.
 * Context: the owner of a releaser, interrupts masked.
 */
static inline uint32_t hrli_ready_release(struct hrli_ready_queue *queue,
                                          HRLP_CONST struct hrli_mask_part *part)
{
    struct hrli_masked_threads *threads = hrli_ready_masked(queue);
    uint32_t waiting = threads->waiting[part->level];
    uint32_t released = waiting & part->bits;

    if (released != 0) {
        threads->waiting[part->level] = waiting & ~released;
        threads->ready[part->level] |= released;
        hrli_ready_occupy(queue, part->level);
    }
    return released;
}

/*
 * Makes every waiting thread of `part`, a mask's first, ready, each of which is alone on its level;
 * returns their levels as bits. Context: as hrli_ready_release.
 */
static inline uint32_t hrli_ready_release_levels(struct hrli_ready_queue *queue,
                                                 HRLP_CONST struct hrli_mask_part *part)
{
    uint32_t *waiting = &hrli_ready_masked(queue)->waiting[HRLI_MASK_WORDS - 1];
    uint32_t released = *waiting & part->bits;

    *waiting &= ~released;
    queue->occupied[0] |= released;
    return released;
}

/*
 * Makes the most urgent waiting thread of `part`, of which there is one, ready, as a bit or, if it is
 * displaced, in a ring; returns its bit. Context: as hrli_ready_release.
 */
static inline uint32_t hrli_ready_release_first(struct hrli_ready_queue *queue,
                                                HRLP_CONST struct hrli_mask_part *part)
{
    struct hrli_masked_threads *threads = hrli_ready_masked(queue);
    uint32_t number = hrlp_cpu_highest_bit(threads->waiting[part->level] & part->bits);
    uint32_t bit = (uint32_t)1 << number;

    threads->waiting[part->level] &= ~bit;
    hrli_ready_add(queue, threads->by_bit[part->level][number]);
    return bit;
}

/*
 * From now on `node`, which is ready and alone on its level, waits for its release. Context: as
 * hrli_ready_await.
 */
static inline void hrli_ready_await_alone(struct hrli_ready_queue *queue,
                                          const struct hrli_ready_node *node)
{
    uint32_t bit = hrli_mask_bit(node);

    queue->occupied[0] &= ~bit;
    hrli_ready_masked(queue)->waiting[HRLI_MASK_WORDS - 1] |= bit;
}

/* From now on `node`, which is not ready, waits for its release. Context: interrupts masked. */
static inline void hrli_ready_await(struct hrli_ready_queue *queue,
                                    const struct hrli_ready_node *node)
{
    hrli_ready_masked(queue)->waiting[hrli_mask_level(node)] |= hrli_mask_bit(node);
}

#endif
