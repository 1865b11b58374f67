/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calendar.h"
#include "hrlp_cpu.h"
#include "stamp.h"

typedef struct hrli_queue_node node_t;

enum { LEFT, RIGHT }; /* words of node_t.spare: the children in the slot's tree */

static inline node_t *child(const node_t *node, int side)
{
    return (node_t *)node->spare[side];
}

static inline node_t **child_link(node_t *node, int side)
{
    return (node_t **)&node->spare[side];
}

/*
 * In a tree, a node ranks above its children. The rank is the key's, so that it stays when another node
 * stands for the run, and different keys have different ranks: folding and an odd factor lose nothing.
 * Together they hide that keys are often multiples of something; a factor alone leaves steps that make
 * chains.
 */
static inline uint32_t rank(const node_t *node)
{
    hrl_stamp key = node->key;

    return (key ^ (key >> 7) ^ (key >> 17)) * 3266489909u;
}

static inline node_t *rightmost(node_t *node)
{
    while (child(node, RIGHT) != NULL) {
        node = child(node, RIGHT);
    }
    return node;
}

void hrli_calendar_init(struct hrli_calendar *calendar, node_t **slots, uint32_t *occupied,
                        uint32_t slot_count, uint32_t shift)
{
    calendar->head.next = &calendar->head;
    calendar->head.previous = &calendar->head;
    calendar->slots = slots;
    calendar->occupied = occupied;
    calendar->words_occupied = 0;
    calendar->mask = slot_count - 1u;
    calendar->shift = shift;
    calendar->base = 0;
    calendar->limit = 0;
    calendar->far = NULL;
    calendar->far_first = NULL;
    for (uint32_t i = 0; i < slot_count; i++) {
        slots[i] = NULL;
    }
    for (uint32_t i = 0; i < HRLI_CALENDAR_WORDS(slot_count); i++) {
        occupied[i] = 0;
    }
}

static inline uint32_t slot_of(const struct hrli_calendar *calendar, hrl_stamp key)
{
    if (hrli_stamp_after(calendar->base, key)) {
        key = calendar->base;
    }
    return (key >> calendar->shift) & calendar->mask;
}

static inline void mark_occupied(struct hrli_calendar *calendar, uint32_t slot)
{
    calendar->occupied[slot / 32u] |= (uint32_t)1 << (slot % 32u);
    calendar->words_occupied |= (uint32_t)1 << (slot / 32u);
}

static inline void mark_empty(struct hrli_calendar *calendar, uint32_t slot)
{
    calendar->occupied[slot / 32u] &= ~((uint32_t)1 << (slot % 32u));
    if (calendar->occupied[slot / 32u] == 0) {
        calendar->words_occupied &= ~((uint32_t)1 << (slot / 32u));
    }
}

/*
 * The occupied slot that comes before `slot` on the ring of slots, which may be `slot` again. Some slot is
 * occupied.
 */
static inline uint32_t occupied_before(const struct hrli_calendar *calendar, uint32_t slot)
{
    uint32_t word = slot / 32u;
    uint32_t bits = calendar->occupied[word] & (((uint32_t)1 << (slot % 32u)) - 1u);

    if (bits == 0) {
        uint32_t below = ((uint32_t)1 << word) - 1u;
        uint32_t words = calendar->words_occupied & below;

        if (words == 0) {
            words = calendar->words_occupied & ~below;
        }
        word = hrlp_cpu_highest_bit(words);
        bits = calendar->occupied[word];
    }
    return word * 32u + hrlp_cpu_highest_bit(bits);
}

/* The last node of the slots before `slot`, or the list's head. The ring begins with the base's slot. */
static node_t *last_before(struct hrli_calendar *calendar, uint32_t slot)
{
    uint32_t begin = slot_of(calendar, calendar->base);
    uint32_t found;

    if (calendar->words_occupied == 0) {
        return &calendar->head;
    }
    found = occupied_before(calendar, slot);
    if (((found - begin) & calendar->mask) >= ((slot - begin) & calendar->mask)) {
        return &calendar->head; /* it lies after `slot` */
    }
    return rightmost(calendar->slots[found]);
}

/* The last node of all slots, or the list's head. */
static node_t *last_near(struct hrli_calendar *calendar)
{
    if (calendar->words_occupied == 0) {
        return &calendar->head;
    }
    return rightmost(calendar->slots[occupied_before(calendar, slot_of(calendar, calendar->base))]);
}

/*
 * Divides the tree below `from`, which does not hold `key`, into what is before it and what is after, below
 * the two links. Returns the last before it, or NULL.
 */
static node_t *split(node_t *from, hrl_stamp key, node_t **before, node_t **after)
{
    node_t *last = NULL;

    while (from != NULL) {
        if (hrli_stamp_after(from->key, key)) {
            *after = from;
            after = child_link(from, LEFT);
            from = *after;
        } else {
            *before = from;
            last = from;
            before = child_link(from, RIGHT);
            from = *before;
        }
    }
    *before = NULL;
    *after = NULL;
    return last;
}

/* Puts all of `left` before all of `right`, in one tree below `link`. */
static void join(node_t **link, node_t *left, node_t *right)
{
    while (left != NULL && right != NULL) {
        if (rank(left) > rank(right)) {
            *link = left;
            link = child_link(left, RIGHT);
            left = *link;
        } else {
            *link = right;
            link = child_link(right, LEFT);
            right = *link;
        }
    }
    *link = left != NULL ? left : right;
}

/* `heir` stands in the tree for the run that `*link` stood for. */
static inline void take_place(node_t **link, node_t *heir)
{
    const node_t *leaving = *link;

    heir->spare[LEFT] = leaving->spare[LEFT];
    heir->spare[RIGHT] = leaving->spare[RIGHT];
    *link = heir;
}

/*
 * Puts `node` into the tree below `link`, instead of its equal if there is one. Returns the last node that
 * is not later, NULL if there is none in the tree.
 */
static node_t *tree_insert(node_t **link, node_t *node)
{
    hrl_stamp key = node->key;
    uint32_t own = rank(node);
    node_t *before = NULL;
    node_t *inner;
    node_t *at;

    /* First down to where it belongs by its rank, then on, looking for its equal and for what is before. */
    while ((at = *link) != NULL && rank(at) >= own) {
        if (at->key == key) { /* its rank is the same, so it is here or nowhere */
            take_place(link, node);
            return at;
        }
        if (hrli_stamp_after(at->key, key)) {
            link = child_link(at, LEFT);
        } else {
            before = at;
            link = child_link(at, RIGHT);
        }
    }
    *link = node;
    inner = split(at, key, child_link(node, LEFT), child_link(node, RIGHT));
    return inner != NULL ? inner : before;
}

/* The link to `node`, which is in the tree below `link`. */
static node_t **tree_find(node_t **link, const node_t *node)
{
    node_t *at;

    while ((at = *link) != node) {
        link = child_link(at, hrli_stamp_after(at->key, node->key) ? LEFT : RIGHT);
    }
    return link;
}

static inline void find_far_first(struct hrli_calendar *calendar)
{
    node_t *first = calendar->far;

    while (first != NULL && child(first, LEFT) != NULL) {
        first = child(first, LEFT);
    }
    calendar->far_first = first;
}

/* The earliest instant of `far` moves into its slot, where it is the last. */
static void bring_nearer(struct hrli_calendar *calendar)
{
    node_t *node = calendar->far_first;
    uint32_t slot = slot_of(calendar, node->key);
    node_t **link = tree_find(&calendar->far, node);

    *link = child(node, RIGHT);
    find_far_first(calendar);
    link = &calendar->slots[slot];
    while (*link != NULL && rank(*link) > rank(node)) {
        link = child_link(*link, RIGHT);
    }
    node->spare[LEFT] = (uintptr_t)*link;
    node->spare[RIGHT] = 0;
    *link = node;
    mark_occupied(calendar, slot);
}

static inline hrl_stamp slot_begin(const struct hrli_calendar *calendar, hrl_stamp key)
{
    return (key >> calendar->shift) << calendar->shift;
}

/*
 * Whether `key` belongs into a slot; `first` is the earliest key, before the limit if slots hold any.
 * Distances from there are compared, and not
 * stamps: with a slot's width added, two of them could be more than the horizon apart.
 */
static inline bool is_near(const struct hrli_calendar *calendar, hrl_stamp key, hrl_stamp first)
{
    return hrli_stamp_after(first, key) ||
           (calendar->words_occupied != 0 && key - first < calendar->limit - first);
}

/* All nodes are before the base, and so in its slot: it becomes the last one's slot. */
static void step_back(struct hrli_calendar *calendar)
{
    uint32_t from = slot_of(calendar, calendar->base);
    node_t *root = calendar->slots[from];

    calendar->slots[from] = NULL;
    mark_empty(calendar, from);
    calendar->base = slot_begin(calendar, calendar->head.previous->key);
    calendar->limit = calendar->base; /* until it advances */
    calendar->slots[slot_of(calendar, calendar->base)] = root;
    mark_occupied(calendar, slot_of(calendar, calendar->base));
}

/* Slots begin where the first node is, and reach as far as they can without passing what is far. */
static void advance(struct hrli_calendar *calendar)
{
    hrl_stamp first = calendar->head.next->key;
    hrl_stamp end;

    if (hrli_stamp_after(first, calendar->base)) {
        calendar->base = slot_begin(calendar, first);
    } else if (hrli_stamp_after(calendar->base, calendar->head.previous->key)) {
        step_back(calendar);
    }
    end = calendar->base + ((calendar->mask + 1u) << calendar->shift);
    if (calendar->limit == end) {
        return; /* the usual case: nothing has moved since the last insertion */
    }
    for (int moves = 2; calendar->far != NULL; moves--) {
        if (!hrli_stamp_after(end, calendar->far_first->key)) {
            break;
        }
        if (moves == 0) {
            end = calendar->far_first->key;
            break;
        }
        bring_nearer(calendar);
    }
    calendar->limit = end;
}

static inline void begin_with(struct hrli_calendar *calendar, hrl_stamp key)
{
    calendar->base = slot_begin(calendar, key);
    calendar->limit = calendar->base + ((calendar->mask + 1u) << calendar->shift);
}

bool hrli_calendar_insert(struct hrli_calendar *calendar, node_t *node)
{
    hrl_stamp key = node->key;
    bool near = true;
    node_t *before;

    if (calendar->head.next == &calendar->head) {
        begin_with(calendar, key);
    } else {
        advance(calendar);
        near = is_near(calendar, key, calendar->head.next->key);
    }
    if (near) {
        uint32_t slot = slot_of(calendar, key);

        before = tree_insert(&calendar->slots[slot], node);
        if (before == NULL) {
            before = last_before(calendar, slot);
            mark_occupied(calendar, slot);
        }
    } else {
        node_t *first = calendar->far_first;

        before = tree_insert(&calendar->far, node);
        if (before == NULL) {
            before = last_near(calendar);
        }
        if (first == NULL || before == first || hrli_stamp_after(first->key, key)) {
            find_far_first(calendar);
        }
    }
    node->previous = before;
    node->next = before->next;
    before->next->previous = node;
    before->next = node;
    return before == &calendar->head;
}

/*
 * `node` is in no list any more; its run had no other if `rest` is NULL, else `rest` stands for it now.
 * `earliest` is the list's first key, as it was.
 */
static void leave_tree(struct hrli_calendar *calendar, node_t *node, node_t *rest,
                       hrl_stamp earliest)
{
    bool near = is_near(calendar, node->key, earliest);
    uint32_t slot = near ? slot_of(calendar, node->key) : 0;
    node_t **root = near ? &calendar->slots[slot] : &calendar->far;
    node_t **link = tree_find(root, node);

    if (rest != NULL) {
        take_place(link, rest);
    } else {
        join(link, child(node, LEFT), child(node, RIGHT));
    }
    if (near) {
        if (*root == NULL) {
            mark_empty(calendar, slot);
        }
    } else if (calendar->far_first == node) {
        find_far_first(calendar);
    }
}

void hrli_calendar_remove(struct hrli_calendar *calendar, node_t *node)
{
    node_t *next = node->next;
    node_t *previous = node->previous;
    hrl_stamp earliest = calendar->head.next->key;

    previous->next = next;
    next->previous = previous;
    if (next != &calendar->head && next->key == node->key) {
        return; /* the last of its run is the one in the tree */
    }
    leave_tree(calendar, node,
               previous != &calendar->head && previous->key == node->key ? previous : NULL,
               earliest);
}

void hrli_calendar_pop(struct hrli_calendar *calendar, node_t *first)
{
    node_t *next = first->next;

    calendar->head.next = next;
    next->previous = &calendar->head;
    if (next == &calendar->head || next->key != first->key) {
        leave_tree(calendar, first, NULL, first->key);
    }
}
