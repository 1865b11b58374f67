/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sorted_list.h"
#include "stamp.h"

bool hrli_sorted_list_insert(struct hrli_sorted_list *list, struct hrli_queue_node *node)
{
    hrl_stamp key = node->key;
    struct hrli_queue_node *after = &list->head;

    list->head.key =
        hrli_stamp_horizon(key); /* ends every walk, so the walk need not look for it */
    do {
        after = after->next;
    } while (!hrli_stamp_branch_after(after->key, key));
    node->next = after;
    node->previous = after->previous;
    after->previous->next = node;
    after->previous = node;
    return list->head.next == node;
}
