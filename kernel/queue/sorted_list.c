/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sorted_list.h"
#include "stamp.h"

bool hrli_sorted_list_insert(struct hrli_sorted_list *list, struct hrli_queue_node *node)
{
    hrl_stamp key = node->key;
    struct hrli_queue_node *after = &list->head;
    struct hrli_queue_node *before;

    list->head.key = key ^ (hrl_stamp)1 << 31; /* ends every walk: as far ahead as can be */
    do {
        after = after->next;
    } while (!hrli_stamp_branch_after(after->key, key));
    before = after->previous;
    after->previous = node;
    node->next = after;
    node->previous = before;
    before->next = node;
    return before == &list->head;
}
