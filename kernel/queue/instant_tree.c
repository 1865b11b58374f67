/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "instant_tree.h"

typedef struct hrli_queue_node node_t;

enum {
    EARLIER = HRLI_INSTANT_EARLIER,
    LATER = HRLI_INSTANT_LATER,
    PLACE = HRLI_INSTANT_PLACE,
    BITS = HRLI_INSTANT_BITS
};

static inline int other(int side)
{
    return 1 - side;
}

static inline hrli_spare balance(const node_t *node)
{
    return node->spare[PLACE] & BITS;
}

/* The bit that says that the subtree on `side` is taller. */
static inline hrli_spare taller(int side)
{
    return (hrli_spare)HRLI_INSTANT_EARLIER_TALLER << side;
}

static inline int side_of(const node_t *above, const node_t *node)
{
    return above->spare[EARLIER] == (uintptr_t)node ? EARLIER : LATER;
}

/* `node`, which may be NULL, is below `above` on `side`; its balance stays. */
static inline void hang(node_t *above, int side, node_t *node)
{
    above->spare[side] = (uintptr_t)node;
    if (node != NULL) {
        node->spare[PLACE] = (uintptr_t)above | balance(node);
    }
}

/*
 * The subtree below `top` is on `side` two levels taller than on the other. Turns it so that it is
 * not. Returns its new root; the whole is lower by a level unless that leans.
 */
static inline __attribute__((always_inline)) node_t *turn_to(node_t *top, int side)
{
    const int across = other(side);
    node_t *above = hrli_instant_above(top);
    node_t *child = hrli_instant_below(top, side);
    hrli_spare lean = balance(child);
    node_t *heir = child;

    above->spare[side_of(above, top)] = (uintptr_t)child;
    if (lean == taller(across)) {
        heir = hrli_instant_below(child, across);
        above->spare[side_of(above, child)] = (uintptr_t)heir;
        lean = balance(heir);
        hang(child, across, hrli_instant_below(heir, side));
        hang(top, side, hrli_instant_below(heir, across));
        heir->spare[side] = (uintptr_t)child;
        child->spare[PLACE] = (uintptr_t)heir | (lean == taller(across) ? taller(side) : 0);
        top->spare[PLACE] = (uintptr_t)heir | (lean == taller(side) ? taller(across) : 0);
        lean = 0;
    } else {
        hang(top, side, hrli_instant_below(child, across));
        if (lean == 0) {
            top->spare[PLACE] = (uintptr_t)child | taller(side);
            lean = taller(across);
        } else {
            top->spare[PLACE] = (uintptr_t)child;
            lean = 0;
        }
    }
    heir->spare[across] = (uintptr_t)top;
    heir->spare[PLACE] = (uintptr_t)above | lean;
    return heir;
}

static node_t *turn(node_t *top, int side)
{
    return side == EARLIER ? turn_to(top, EARLIER) : turn_to(top, LATER);
}

/* What is below `above`, which is not balanced, has grown by a level on `side`. */
static inline void stop_growing(node_t *above, int side)
{
    hrli_spare bits = balance(above);

    if (bits == taller(side)) {
        (void)turn(above, side);
    } else if (bits != BITS) {
        above->spare[PLACE] -= bits;
    } /* else it is the tree's own: all has grown */
}

/*
 * What is below `above` has grown by a level on `side`: goes up while that grows on the same side.
 * Returns what has grown on the other one, or NULL if nothing more has. A loop for each side is
 * quicker than one that looks which it is.
 */
static inline __attribute__((always_inline)) node_t *grow(node_t *above, const int side)
{
    const node_t *node;

    do {
        hrli_spare place = above->spare[PLACE];

        if ((place & BITS) != 0) {
            stop_growing(above, side);
            return NULL;
        }
        above->spare[PLACE] = place | taller(side);
        node = above;
        above = (node_t *)(uintptr_t)place;
    } while (above->spare[side] == (uintptr_t)node);
    return above;
}

void hrli_instant_tree_insert(node_t *above, int side, node_t *node)
{
    node->spare[EARLIER] = 0;
    node->spare[LATER] = 0;
    node->spare[PLACE] = (uintptr_t)above;
    above->spare[side] = (uintptr_t)node;
    if (side == EARLIER) {
        above = grow(above, EARLIER);
    }
    while (above != NULL) {
        above = grow(above, LATER);
        if (above != NULL) {
            above = grow(above, EARLIER);
        }
    }
}

/* What is below `above` on `side` has got lower by a level. */
static void lower(node_t *above, int side)
{
    for (;;) {
        hrli_spare place = above->spare[PLACE], bits = place & BITS;
        const node_t *node;

        if (bits == 0) {
            above->spare[PLACE] = place | taller(other(side));
            return;
        }
        if (bits == taller(side)) {
            node = above;
            above = (node_t *)(uintptr_t)(place - bits);
            ((node_t *)node)->spare[PLACE] = (uintptr_t)above;
        } else if (bits == BITS) {
            return;
        } else {
            node = turn(above, other(side));
            if (balance(node) != 0) {
                return;
            }
            above = hrli_instant_above(node);
        }
        side = side_of(above, node);
    }
}

/* Takes out `node`, which has nothing below it but, perhaps, `below`, a leaf. */
static inline void take_out(node_t *node, node_t *below)
{
    node_t *above = hrli_instant_above(node);
    int side = side_of(above, node);

    above->spare[side] = (uintptr_t)below;
    if (below != NULL) {
        below->spare[PLACE] = (uintptr_t)above;
    }
    lower(above, side);
}

void hrli_instant_tree_remove_first(node_t *first)
{
    take_out(first, hrli_instant_below(first, LATER));
}

void hrli_instant_tree_replace(node_t *node, node_t *heir)
{
    node_t *above = hrli_instant_above(node);

    above->spare[side_of(above, node)] = (uintptr_t)heir;
    heir->spare[PLACE] = node->spare[PLACE];
    for (int side = EARLIER; side <= LATER; side++) {
        hang(heir, side, hrli_instant_below(node, side));
    }
}

void hrli_instant_tree_remove(node_t *node)
{
    node_t *before = hrli_instant_below(node, EARLIER), *next;

    if (before == NULL) {
        hrli_instant_tree_remove_first(node);
        return;
    }
    while ((next = hrli_instant_below(before, LATER)) != NULL) {
        before = next;
    }
    take_out(before, hrli_instant_below(before, EARLIER));
    hrli_instant_tree_replace(node, before);
}
