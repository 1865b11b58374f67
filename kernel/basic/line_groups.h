/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_GROUPS_H
#define HRLI_LINE_GROUPS_H

#include "line_group.h"

/*
 * Releaser of basic tasks over an array of groups (line_group.h), on a cell of either mode: an instant
 * looks at every group, and finds the next instant on its way. For few groups.
 */
struct hrli_line_groups {
    struct hrli_line_group *groups;
    uint32_t count; /* at least 1 */
    hrl_stamp *due; /* the first of all keys */
};

/*
 * As hrli_line_queue_interrupt; `store` is a constant. Each instant in turn, all its groups. Context:
 * the cell's handler, acknowledged.
 */
static inline __attribute__((always_inline)) hrl_stamp
hrli_line_groups_interrupt(const struct hrli_line_groups *store, volatile hrl_stamp *served,
                           const struct hrli_line_groups_kind *kind)
{
    const struct hrli_line_group *end = store->groups + store->count;
    hrl_stamp now = hrlp_clock_read();
    hrl_stamp due = *store->due;

    if (!hrli_stamp_has_passed(due, now, kind->ahead)) {
        return due;
    }
    do {
        uint32_t gap = UINT32_MAX;

        for (struct hrli_line_group *group = store->groups; group != end; group++) {
            if (group->node.key == due) {
                group->node.key = hrli_line_group_serve(group, served, kind);
            }
            if (group->node.key - due < gap) {
                gap = group->node.key - due;
            }
        }
        due += gap;
    } while (hrli_stamp_has_passed(due, now, kind->ahead));
    *store->due = due;
    return due;
}

#endif
