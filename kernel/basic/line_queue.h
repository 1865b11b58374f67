/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_QUEUE_H
#define HRLI_LINE_QUEUE_H

#include "line_group.h"
#include <stddef.h>

/*
 * Releaser of basic tasks over a delay queue of groups (line_group.h), on a cell of either mode. Its interrupt
 * serves the first group and puts it off to its next instant, until the first group is not due. So the queue
 * always holds all groups, and the handler pays for the search of the new place.
 *
 * The calls are those of HRLI_QUEUE_CALLS (kernel/queue/README.md). The struct is a constant, so that the
 * compiler calls them directly.
 */
struct hrli_line_queue {
    struct hrli_queue_node *(*first)(void *queue);
    /* Gives `first` the key `key`, not before its own, and its place by that. */
    void (*put_off)(void *queue, struct hrli_queue_node *first, hrl_stamp key);
};

/* The first group's node; there is one. */
static inline __attribute__((always_inline)) struct hrli_queue_node *
hrli_line_queue_first(void *queue, const struct hrli_line_queue *calls)
{
    struct hrli_queue_node *first = calls->first(queue);

    if (first == NULL) {
        __builtin_unreachable();
    }
    return first;
}

/*
 * Serves every group that is due; returns the stamp HRLI_LINE_TABLE_DUE of the first that is not. What
 * falls due while this runs has an interrupt of its own. Context: the cell's handler, acknowledged.
 */
static inline __attribute__((always_inline)) hrl_stamp
hrli_line_queue_interrupt(void *queue, const struct hrli_line_queue *calls,
                          volatile hrl_stamp *served, const struct hrli_line_groups_kind *kind)
{
    hrl_stamp now = hrlp_clock_read();
    struct hrli_queue_node *first = hrli_line_queue_first(queue, calls);

    while (hrli_stamp_has_passed(first->key, now, kind->ahead)) {
        struct hrli_line_group *group = (struct hrli_line_group *)first;

        calls->put_off(queue, first, hrli_line_group_serve(group, served, kind));
        first = hrli_line_queue_first(queue, calls);
    }
    return first->key;
}

#endif
