/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sorted_list.h"
#include "stamp.h"

bool hrli_sorted_list_insert(struct hrli_sorted_list *list, struct hrli_queue_node *node)
{
    hrl_stamp key = node->key;
    struct hrli_queue_node *after = list->head.next;
    struct hrli_queue_node *before;
    hrl_stamp passed;

    list->head.key = key ^ (hrl_stamp)1 << 31; /* ends every walk: as far ahead as can be */
    do { /* one load a node: its key, and where the next one is */
        passed = after->key;
        after = after->next;
    } while (!hrli_stamp_branch_after(passed, key));
    after = after->previous;
    before = after->previous;
    node->next = after;
    node->previous = before;
    after->previous = node;
    before->next = node;
    return before == &list->head;
}
