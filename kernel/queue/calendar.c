/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calendar.h"
#include "hrlp_cpu.h"
#include "stamp.h"

typedef struct hrli_queue_node node_t;
typedef hrli_instant_link link_t;

/* Keeps rare code out of the usual path, which then needs fewer registers to be saved. */
#define HRLI_NOT_INLINE __attribute__((noinline))

void hrli_calendar_init(struct hrli_calendar *calendar, link_t *slots, uint32_t *occupied,
                        uint32_t slot_count, uint32_t shift)
{
    calendar->head.next = &calendar->head;
    calendar->head.previous = &calendar->head;
    calendar->head.spare[HRLI_INSTANT_LATER] = 0; /* not loose */
    calendar->slots = slots;
    calendar->occupied = occupied;
    calendar->words_occupied = 0;
    calendar->mask = slot_count - 1u;
    calendar->shift = shift;
    calendar->base = 0;
    calendar->direct = 0; /* so that the first insertion sets the rest */
    calendar->far = 0;
    calendar->loose = 0;
    for (uint32_t i = 0; i < slot_count; i++) {
        slots[i] = 0;
    }
    for (uint32_t i = 0; i < HRLI_CALENDAR_WORDS(slot_count); i++) {
        occupied[i] = 0;
    }
}

static inline uint32_t slot_at(const struct hrli_calendar *calendar, hrl_stamp key)
{
    return (key >> calendar->shift) & calendar->mask;
}

static inline hrl_stamp slot_begin(const struct hrli_calendar *calendar, hrl_stamp key)
{
    return (key >> calendar->shift) << calendar->shift;
}

/* How many counts all slots cover. */
static inline uint32_t window(const struct hrli_calendar *calendar)
{
    return (calendar->mask + 1u) << calendar->shift;
}

static inline void mark_occupied(struct hrli_calendar *calendar, uint32_t slot)
{
    calendar->occupied[slot / 32u] |= (uint32_t)1 << (slot % 32u);
    calendar->words_occupied |= (uint32_t)1 << (slot / 32u);
}

static inline void mark_empty(struct hrli_calendar *calendar, uint32_t slot)
{
    uint32_t rest = calendar->occupied[slot / 32u] & ~((uint32_t)1 << (slot % 32u));

    calendar->occupied[slot / 32u] = rest;
    if (rest == 0) {
        calendar->words_occupied &= ~((uint32_t)1 << (slot / 32u));
        if (calendar->words_occupied == 0 && calendar->far != 0) {
            calendar->direct = 0; /* the base is left behind, perhaps by more than can be told */
        }
    }
}

/*
 * The last node of the occupied slot that comes before `slot` on the ring of slots, which may be
 * the ring's last. Some slot is occupied.
 */
static inline node_t *last_before(struct hrli_calendar *calendar, uint32_t slot)
{
    uint32_t word = slot / 32u;
    uint32_t bits = calendar->occupied[word] & (((uint32_t)1 << (slot % 32u)) - 1u);

    if (bits == 0) {
        uint32_t words = calendar->words_occupied;
        uint32_t below = words & (((uint32_t)1 << word) - 1u);

        word = hrlp_cpu_highest_bit(below != 0 ? below : words);
        bits = calendar->occupied[word];
    }
    return hrli_instant_set_last(calendar->slots[word * 32u + hrlp_cpu_highest_bit(bits)]);
}

/* Whether no node is in a set. */
static inline bool is_index_empty(const struct hrli_calendar *calendar)
{
    return calendar->words_occupied == 0 && calendar->far == 0;
}

/* The list's first and last that are not loose, or the head. Pass what is loose. */
static node_t *first_indexed(struct hrli_calendar *calendar)
{
    node_t *node = calendar->head.next;

    while (hrli_calendar_is_loose(node)) {
        node = node->next;
    }
    return node;
}

static node_t *last_indexed(struct hrli_calendar *calendar)
{
    node_t *node = calendar->head.previous;

    while (hrli_calendar_is_loose(node)) {
        node = node->previous;
    }
    return node;
}

/*
 * As behind(), while some nodes are loose. The first that is not is looked for among the first of
 * the list, as the index says what is before a slot only if something is. Passes what is loose, at
 * most twice.
 */
HRLI_NOT_INLINE static node_t *behind_loose(struct hrli_calendar *calendar, node_t *before,
                                            const node_t *node, uint32_t slot)
{
    node_t *head = &calendar->head;

    if (before == NULL) {
        const node_t *first = first_indexed(calendar);

        before = first == head || hrli_stamp_after(first->key, node->key)
                     ? head
                     : last_before(calendar, slot);
    }
    while (hrli_calendar_is_loose(before->next) &&
           !hrli_stamp_after(before->next->key, node->key)) {
        before = before->next;
    }
    return before;
}

/*
 * The node that `node`, which is in the set of slot `slot`, comes right behind in the list:
 * `before`, or if that is NULL and it is the first of its set, the last of the slots before.
 */
static inline node_t *behind(struct hrli_calendar *calendar, node_t *before, const node_t *node,
                             uint32_t slot)
{
    const node_t *first = calendar->head.next;

    if (calendar->loose != 0) {
        return behind_loose(calendar, before, node, slot);
    }
    if (before != NULL) {
        return before;
    }
    if (first == &calendar->head || hrli_stamp_after(first->key, node->key)) {
        return &calendar->head;
    }
    return last_before(calendar, slot);
}

static inline bool link_behind(struct hrli_calendar *calendar, node_t *before, node_t *node)
{
    node_t *next = before->next;

    node->next = next;
    node->previous = before;
    next->previous = node;
    before->next = node;
    return before == &calendar->head;
}

/* Puts `node` into slot `slot`, which is empty. */
HRLI_NOT_INLINE static bool insert_alone(struct hrli_calendar *calendar, node_t *node,
                                         uint32_t slot)
{
    node_t *before = behind(calendar, NULL, node, slot);

    hrli_instant_set_chain(node, 0);
    calendar->slots[slot] = (link_t)node;
    mark_occupied(calendar, slot);
    return link_behind(calendar, before, node);
}

/* Puts `node` into slot `slot`, which is not empty and has another last instant. */
HRLI_NOT_INLINE static bool insert_among(struct hrli_calendar *calendar, node_t *node,
                                         uint32_t slot)
{
    node_t *before = hrli_instant_set_insert(&calendar->slots[slot], node);

    return link_behind(calendar, behind(calendar, before, node, slot), node);
}

/* Puts `node` into slot `slot`, to which its key belongs. */
static inline bool insert_near(struct hrli_calendar *calendar, node_t *node, uint32_t slot)
{
    link_t *set = &calendar->slots[slot];
    node_t *last = (node_t *)*set;

    if (last == NULL) {
        return insert_alone(calendar, node, slot);
    }
    if (hrli_instant_set_is_tree(*set) || last->key != node->key) {
        return insert_among(calendar, node, slot);
    }
    hrli_instant_set_chain(node, last->spare[HRLI_INSTANT_EARLIER]);
    *set = (link_t)node;
    (void)link_behind(calendar, last, node);
    return false;
}

/*
 * Keys beyond the slots. Stamps of the queue may be less than 2^31 apart from one another, and
 * still more from the base, which the first node may have left behind: their order is that of their
 * distances from the origin.
 */

static inline bool is_before(const struct hrli_calendar *calendar, hrl_stamp key, hrl_stamp other)
{
    return (int32_t)(key - calendar->origin) < (int32_t)(other - calendar->origin);
}

/* The set that `key` belongs to; `slot` becomes the slot's number, if it is a slot's. */
static link_t *set_of(struct hrli_calendar *calendar, hrl_stamp key, uint32_t *slot)
{
    *slot = 0;
    if (!is_before(calendar, key, calendar->limit)) {
        return &calendar->far;
    }
    *slot = slot_at(calendar, is_before(calendar, key, calendar->base) ? calendar->base : key);
    return &calendar->slots[*slot];
}

/* All nodes are before the base, and so in its slot: it becomes the last one's slot. */
static void step_back(struct hrli_calendar *calendar)
{
    hrl_stamp last = last_indexed(calendar)->key;
    uint32_t from = slot_at(calendar, calendar->base), to = slot_at(calendar, last);
    link_t set = calendar->slots[from];

    calendar->slots[from] = 0;
    mark_empty(calendar, from);
    calendar->slots[to] = set;
    mark_occupied(calendar, to);
    calendar->base = slot_begin(calendar, last);
    calendar->origin = last;
}

/*
 * Slots begin where the first node is, or `key`, if that will be the first. The index is not empty.
 */
static void advance(struct hrli_calendar *calendar, hrl_stamp key)
{
    hrl_stamp first = first_indexed(calendar)->key;

    if (is_before(calendar, first, calendar->base)) {
        if (is_before(calendar, last_indexed(calendar)->key, calendar->base)) {
            step_back(calendar);
        } else {
            calendar->origin = calendar->base;
        }
        return;
    }
    if (hrli_stamp_after(first, key)) {
        first = key;
    }
    if (calendar->words_occupied == 0 || !hrli_stamp_after(calendar->base, first)) {
        calendar->base = slot_begin(calendar, first);
        calendar->origin = first;
    } else { /* `key` is before what slots hold, the list's first among it */
        calendar->origin = calendar->base;
    }
}

/*
 * The limit goes as far as slots and the instants in `far` allow. Returns whether it could go
 * further.
 */
static inline bool set_limit(struct hrli_calendar *calendar)
{
    uint32_t reach = window(calendar);
    bool is_held = calendar->far != 0 && calendar->far_key - calendar->base < reach;

    calendar->direct = is_held ? 0 : reach;
    calendar->limit = is_held ? calendar->far_key : calendar->base + reach;
    return is_held;
}

/* After its earliest instant has left `far`. */
static inline void find_far_key(struct hrli_calendar *calendar)
{
    if (calendar->far != 0) {
        calendar->far_key = hrli_instant_set_first(calendar->far)->key;
    }
}

/*
 * The earliest instant of `far`, which slots reach, moves into its slot; unless that is a tree:
 * then it stays, and keys before it go on finding their slots at once.
 */
static void bring_nearer(struct hrli_calendar *calendar)
{
    uint32_t slot = slot_at(calendar, calendar->far_key);
    link_t *set = &calendar->slots[slot];
    node_t *node;

    if (hrli_instant_set_is_tree(*set)) {
        calendar->direct = calendar->far_key - calendar->base;
        return;
    }
    node = hrli_instant_set_pop(&calendar->far);
    find_far_key(calendar);
    if (*set == 0) {
        hrli_instant_set_chain(node, 0);
        *set = (link_t)node;
        mark_occupied(calendar, slot);
    } else {
        (void)hrli_instant_set_insert(set, node);
    }
    (void)set_limit(calendar);
}

static bool insert_first(struct hrli_calendar *calendar, node_t *node)
{
    calendar->base = slot_begin(calendar, node->key);
    calendar->origin = node->key;
    (void)set_limit(calendar);
    return insert_near(calendar, node, slot_at(calendar, node->key));
}

/* Puts `node` into `far`. */
static bool insert_far(struct hrli_calendar *calendar, node_t *node)
{
    node_t *before = calendar->head.previous;

    if (calendar->far == 0) {
        while (hrli_calendar_is_loose(before) && hrli_stamp_after(before->key, node->key)) {
            before =
                before->previous; /* no further than to the last that is not loose, or the head */
        }
        hrli_instant_set_chain(node, 0);
        calendar->far = (link_t)node;
        calendar->far_key = node->key;
    } else {
        node_t *same = hrli_instant_set_insert(&calendar->far, node);

        before = behind(calendar, same, node, slot_at(calendar, calendar->base));
        if (same == NULL) {
            calendar->far_key = node->key;
        }
    }
    return link_behind(calendar, before, node);
}

/*
 * While an instant of `far` holds the limit: puts `node` in, and then moves that one if that is
 * cheap.
 */
HRLI_NOT_INLINE static bool insert_held(struct hrli_calendar *calendar, node_t *node)
{
    uint32_t slot;
    link_t *set = set_of(calendar, node->key, &slot);
    bool is_first =
        set == &calendar->far ? insert_far(calendar, node) : insert_near(calendar, node, slot);

    if (!hrli_instant_set_is_tree(*set)) {
        bring_nearer(calendar);
    }
    return is_first;
}

/* Beyond the slots, or before them, or while instants have to move from `far`. */
HRLI_NOT_INLINE static bool insert_elsewhere(struct hrli_calendar *calendar, node_t *node)
{
    hrl_stamp key = node->key;

    if (is_index_empty(calendar)) {
        return insert_first(calendar, node);
    }
    advance(calendar, key);
    if (set_limit(calendar)) {
        return insert_held(calendar, node);
    }
    if (key - calendar->base < calendar->direct) {
        return insert_near(calendar, node, slot_at(calendar, key));
    }
    if (is_before(calendar, key, calendar->base)) {
        return insert_near(calendar, node, slot_at(calendar, calendar->base));
    }
    return insert_far(calendar, node);
}

bool hrli_calendar_insert(struct hrli_calendar *calendar, node_t *node)
{
    hrl_stamp key = node->key;

    if (key - calendar->base >= calendar->direct) {
        return insert_elsewhere(calendar, node);
    }
    return insert_near(calendar, node, slot_at(calendar, key));
}

/*
 * `node`, the last of its run, is in no list any more; `heir` stands for the run now, if it is not
 * NULL.
 */
static void forget(struct hrli_calendar *calendar, node_t *node, node_t *heir)
{
    uint32_t slot;
    link_t *set = set_of(calendar, node->key, &slot);

    hrli_instant_set_remove(set, node, heir);
    if (set != &calendar->far) {
        if (*set == 0) {
            mark_empty(calendar, slot);
        }
    } else if (heir == NULL && calendar->far_key == node->key) {
        find_far_key(calendar);
    }
}

void hrli_calendar_remove(struct hrli_calendar *calendar, node_t *node)
{
    node_t *next = node->next;
    node_t *previous = node->previous;
    node_t *later = next;

    previous->next = next;
    next->previous = previous;
    while (hrli_calendar_is_loose(later)) {
        later = later->next;
    }
    if (later == &calendar->head) {
        calendar->direct = 0; /* all may be before the base now, even by more than can be told */
    }
    if (next == &calendar->head || next->key != node->key) {
        bool has_heir = previous != &calendar->head && previous->key == node->key &&
                        !hrli_calendar_is_loose(previous);

        forget(calendar, node, has_heir ? previous : NULL);
    }
}

/* As forget(), for the first of all, which is alone in its run. */
HRLI_NOT_INLINE static void forget_first(struct hrli_calendar *calendar, const node_t *first)
{
    uint32_t slot;
    link_t *set = set_of(calendar, first->key, &slot);

    (void)hrli_instant_set_pop(set);
    if (set == &calendar->far) {
        find_far_key(calendar);
    } else if (*set == 0) {
        mark_empty(calendar, slot);
    }
}

void hrli_calendar_pop(struct hrli_calendar *calendar, node_t *first)
{
    node_t *next = first->next;
    hrl_stamp key = first->key;
    uint32_t slot;

    calendar->head.next = next;
    next->previous = &calendar->head;
    if (next != &calendar->head && next->key == key) {
        return;
    }
    slot = slot_at(calendar, key);
    if (key - calendar->base < calendar->direct && calendar->slots[slot] == (link_t)first) {
        calendar->slots[slot] = 0; /* nothing is before the first, so it is alone */
        mark_empty(calendar, slot);
    } else {
        forget_first(calendar, first);
    }
}
