/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "delta_list.h"

bool hrli_delta_list_insert(struct hrli_delta_list *list, struct hrli_queue_node *node)
{
    return hrli_delta_list_put(list, node, node->key);
}
