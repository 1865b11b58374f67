/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sorted_list.h"

bool hrli_sorted_list_insert(struct hrli_sorted_list *list, struct hrli_queue_node *node)
{
    return hrli_sorted_list_put_from(list, node, node->key, false);
}
