/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "instant_tree.h"
#include "stamp.h"

typedef struct hrli_queue_node node_t;
typedef hrli_instant_link link_t;

enum {
    EARLIER = HRLI_INSTANT_EARLIER,
    LATER = HRLI_INSTANT_LATER,
    BITS = HRLI_INSTANT_BITS,
    BALANCED = HRLI_INSTANT_BALANCED,
    TALLER = HRLI_INSTANT_TALLER
};

static inline link_t link_to(const node_t *node, link_t balance)
{
    return (link_t)node | balance;
}

static inline int other(int side)
{
    return 1 - side;
}

/*
 * Whether the node that `link` leads to has subtrees of different heights; then the taller one's
 * side.
 */
static inline bool leans(link_t link)
{
    return (link & TALLER) != 0;
}

static inline int taller_side(link_t link)
{
    return (int)(link & 1u);
}

static inline link_t taller(int side)
{
    return (link_t)TALLER | (link_t)side;
}

/* On which side of `at` the key `key` is; its equal is on the later one. */
static inline int side_of(const node_t *at, hrl_stamp key)
{
    return hrli_stamp_after(at->key, key) ? EARLIER : LATER;
}

/*
 * The node below `link` has on `side` a subtree that is two levels taller than the other. Turns
 * them so that it is not; the whole gets lower by a level unless the taller subtree was balanced.
 */
static void turn(link_t *link, int side)
{
    node_t *top = hrli_instant_node(*link);
    link_t inner = top->spare[side];
    node_t *child = hrli_instant_node(inner);

    if (leans(inner) && taller_side(inner) != side) {
        link_t innermost = child->spare[other(side)];
        node_t *heir = hrli_instant_node(innermost);
        link_t of_top = BALANCED, of_child = BALANCED;

        if (leans(innermost)) {
            if (taller_side(innermost) == side) {
                of_top = taller(other(side));
            } else {
                of_child = taller(side);
            }
        }
        child->spare[other(side)] = heir->spare[side];
        top->spare[side] = heir->spare[other(side)];
        heir->spare[side] = link_to(child, of_child);
        heir->spare[other(side)] = link_to(top, of_top);
        *link = link_to(heir, BALANCED);
    } else {
        bool lower = leans(inner);

        top->spare[side] = child->spare[other(side)];
        child->spare[other(side)] = link_to(top, lower ? BALANCED : taller(side));
        *link = link_to(child, lower ? BALANCED : taller(other(side)));
    }
}

void hrli_instant_tree_of_three(link_t *root, node_t *first, node_t *second, node_t *third)
{
    first->spare[EARLIER] = first->spare[LATER] = HRLI_INSTANT_NONE;
    third->spare[EARLIER] = third->spare[LATER] = HRLI_INSTANT_NONE;
    second->spare[EARLIER] = link_to(first, BALANCED);
    second->spare[LATER] = link_to(third, BALANCED);
    *root = link_to(second, BALANCED);
}

/* The link to `node`, which is in the tree below `link`. */
static link_t *find(link_t *link, const node_t *node)
{
    node_t *at;

    while ((at = hrli_instant_node(*link)) != node) {
        link = &at->spare[side_of(at, node->key)];
    }
    return link;
}

/* `heir` stands where `*link` leads. */
static inline void take_place(link_t *link, node_t *heir)
{
    node_t *leaving = hrli_instant_node(*link);

    heir->spare[EARLIER] = leaving->spare[EARLIER];
    heir->spare[LATER] = leaving->spare[LATER];
    leaving->spare[LATER] = 0;
    *link = link_to(heir, *link & BITS);
}

/*
 * `node` is a new leaf. `top` is the link to the last node on the way to it that leaned, or the
 * root: from there on all were balanced, and now lean to where it is.
 */
static void grow(link_t *top, const node_t *node)
{
    hrl_stamp key = node->key;
    node_t *at = hrli_instant_node(*top);
    int side = side_of(at, key);
    link_t *link = &at->spare[side];

    while ((at = hrli_instant_node(*link)) != node) {
        if (hrli_stamp_after(at->key, key)) {
            *link = link_to(at, taller(EARLIER));
            link = &at->spare[EARLIER];
        } else {
            *link = link_to(at, taller(LATER));
            link = &at->spare[LATER];
        }
    }
    if (!leans(*top)) {
        *top = link_to(hrli_instant_node(*top), taller(side));
    } else if (taller_side(*top) != side) {
        *top = link_to(hrli_instant_node(*top), BALANCED);
    } else {
        turn(top, side);
    }
}

node_t *hrli_instant_tree_insert(link_t *root, node_t *node)
{
    hrl_stamp key = node->key;
    link_t *link = root, *top = root;
    node_t *before = NULL, *at;

    for (link_t here = *link; (at = hrli_instant_node(here)) != NULL; here = *link) {
        if (leans(here)) {
            top = link;
        }
        if (hrli_stamp_after(at->key, key)) {
            link = &at->spare[EARLIER];
        } else {
            before = at;
            link = &at->spare[LATER];
        }
    }
    if (before != NULL && before->key == key) {
        take_place(find(root, before), node);
        return before;
    }
    node->spare[EARLIER] = node->spare[LATER] = HRLI_INSTANT_NONE;
    *link = link_to(node, BALANCED);
    if (link != root) {
        grow(top, node);
    }
    return before;
}

/*
 * Where to go from `at` for the node that goes instead of `node`: to it, then to the last before
 * it.
 */
static inline int way_out(const node_t *at, const node_t *node)
{
    return at == node ? EARLIER : side_of(at, node->key);
}

/*
 * The link from which on removing the leaf on the way out changes heights: at the node there it
 * stops, as that only gets to lean or turns without getting lower; or the root.
 */
static link_t *lowering_begins(link_t *root, const node_t *node)
{
    link_t *link = root, *top = root;
    const node_t *at = hrli_instant_node(*link);

    for (;;) {
        int side = way_out(at, node);
        const node_t *next = hrli_instant_node(at->spare[side]);

        if (next == NULL) {
            return top;
        }
        if (!leans(*link) || (taller_side(*link) != side && !leans(at->spare[other(side)]))) {
            top = link;
        }
        link = (link_t *)&at->spare[side];
        at = next;
    }
}

/* The subtree of `*link` on `side` gets lower by a level. */
static inline void lower(link_t *link, int side)
{
    if (!leans(*link)) {
        *link = link_to(hrli_instant_node(*link), taller(other(side)));
    } else if (taller_side(*link) == side) {
        *link = link_to(hrli_instant_node(*link), BALANCED);
    } else {
        turn(link, other(side));
    }
}

void hrli_instant_tree_remove(link_t *root, node_t *node)
{
    link_t *link = lowering_begins(root, node);
    link_t *place = NULL; /* that leads to `node`, once it is passed */
    node_t *at = hrli_instant_node(*link);
    int side = way_out(at, node);

    while (hrli_instant_node(at->spare[side]) != NULL) {
        lower(link, side);
        if (at == node) {
            place = find(link, node); /* at most two levels down */
        }
        link = &at->spare[side];
        at = hrli_instant_node(*link);
        side = way_out(at, node);
    }
    *link = at->spare[other(side)];
    if (at != node) { /* the last before it leaves its own place and takes that of `node` */
        take_place(place != NULL ? place : find(root, node), at);
    }
    node->spare[LATER] = 0;
}

void hrli_instant_tree_replace(link_t *root, node_t *node, node_t *heir)
{
    take_place(find(root, node), heir);
}

struct hrli_queue_node *hrli_instant_tree_pop(link_t *root)
{
    link_t *link = root, *top = root;
    node_t *at = hrli_instant_node(*link), *next;

    while ((next = hrli_instant_node(at->spare[EARLIER])) != NULL) { /* as lowering_begins() */
        if (!leans(*link) || (taller_side(*link) == LATER && !leans(at->spare[LATER]))) {
            top = link;
        }
        link = &at->spare[EARLIER];
        at = next;
    }
    link = top;
    at = hrli_instant_node(*link);
    while ((next = hrli_instant_node(at->spare[EARLIER])) != NULL) {
        lower(link, EARLIER);
        link = &at->spare[EARLIER];
        at = next;
    }
    *link = at->spare[LATER];
    at->spare[LATER] = 0;
    return at;
}
