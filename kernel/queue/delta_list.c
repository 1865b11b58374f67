/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "delta_list.h"
#include "stamp.h"

enum { DELTA = HRLI_DELTA_LIST_DELTA };

/* Links `node` in before `after`. */
static inline void link_before(struct hrli_queue_node *node, struct hrli_queue_node *after)
{
    struct hrli_queue_node *before = after->previous;

    node->next = after;
    node->previous = before;
    before->next = node;
    after->previous = node;
}

bool hrli_delta_list_insert(struct hrli_delta_list *list, struct hrli_queue_node *node)
{
    struct hrli_queue_node *after = list->head.next;
    hrl_stamp key = node->key;
    hrl_stamp rest; /* how far the node lies behind what the walk has passed */

    list->head.key = hrli_stamp_horizon(key); /* an empty list's first is later than anything */
    if (hrli_stamp_after(after->key, key)) {
        after->spare[DELTA] = after->key - key;
        link_before(node, after);
        return true;
    }
    rest = key - after->key;
    list->head.spare[DELTA] = UINT32_MAX; /* ends every walk, so the walk need not look for it */
    after = after->next;
    while (after->spare[DELTA] <= rest) {
        rest -= (hrl_stamp)after->spare[DELTA];
        after = after->next;
    }
    node->spare[DELTA] = rest;
    after->spare[DELTA] -= rest;
    link_before(node, after);
    return false;
}
