/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "instant_set.h"
#include "stamp.h"

typedef struct hrli_queue_node node_t;
typedef hrli_instant_link link_t;

enum { EARLIER = HRLI_INSTANT_EARLIER, LATER = HRLI_INSTANT_LATER };

static inline node_t *earlier(const node_t *node)
{
    return (node_t *)node->spare[EARLIER];
}

/* An empty tree is an empty set. */
static inline void settle(link_t *set)
{
    if (*set == HRLI_INSTANT_NONE) {
        *set = 0;
    }
}

node_t *hrli_instant_set_first(link_t set)
{
    node_t *node = (node_t *)set;

    if (hrli_instant_set_is_tree(set)) {
        return hrli_instant_tree_end(set, EARLIER);
    }
    while (earlier(node) != NULL) {
        node = earlier(node);
    }
    return node;
}

node_t *hrli_instant_set_pop(link_t *set)
{
    node_t *node;

    if (hrli_instant_set_is_tree(*set)) {
        node = hrli_instant_tree_pop(set);
        settle(set);
        return node;
    }
    for (node = (node_t *)*set; earlier(node) != NULL; node = earlier(node)) {
        set = &node->spare[EARLIER];
    }
    *set = 0;
    return node;
}

/* Whether one more instant makes the chain a tree. */
static inline bool is_full(const node_t *last)
{
    const node_t *second = earlier(last);

    return second != NULL && earlier(second) != NULL;
}

node_t *hrli_instant_set_insert(link_t *set, node_t *node)
{
    hrl_stamp key = node->key;
    node_t *later = NULL, *at;

    if (hrli_instant_set_is_tree(*set)) {
        return hrli_instant_tree_insert(set, node);
    }
    for (at = (node_t *)*set; at != NULL && hrli_stamp_after(at->key, key); at = earlier(at)) {
        later = at;
    }
    if (at != NULL && at->key == key) {
        hrli_instant_set_chain(node, at->spare[EARLIER]);
    } else if (is_full((node_t *)*set)) {
        node_t *third = (node_t *)*set, *second = earlier(third);

        hrli_instant_tree_of_three(set, earlier(second), second, third);
        return hrli_instant_tree_insert(set, node);
    } else {
        hrli_instant_set_chain(node, (link_t)at);
    }
    *(later == NULL ? set : &later->spare[EARLIER]) = (link_t)node;
    return at;
}

void hrli_instant_set_remove(link_t *set, node_t *node, node_t *heir)
{
    if (hrli_instant_set_is_tree(*set)) {
        if (heir != NULL) {
            hrli_instant_tree_replace(set, node, heir);
        } else {
            hrli_instant_tree_remove(set, node);
            settle(set);
        }
        return;
    }
    while (*set != (link_t)node) {
        set = &((node_t *)*set)->spare[EARLIER];
    }
    *set = node->spare[EARLIER];
    if (heir != NULL) {
        hrli_instant_set_chain(heir, *set);
        *set = (link_t)heir;
    }
}
