/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_QUEUE_NODE_H
#define HRLI_QUEUE_NODE_H

#include <hrl/types.h>

/*
 * What a delay queue holds: an instant, and links that belong to the queue while the node is in it.
 */
#define HRLI_QUEUE_NODE_SPARE_WORDS 3

struct hrli_queue_node {
    struct hrli_queue_node *next;
    struct hrli_queue_node *previous;
    hrl_stamp key;
    uintptr_t spare[HRLI_QUEUE_NODE_SPARE_WORDS]; /* what else the queue in use keeps in a node */
};

#endif
