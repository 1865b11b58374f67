/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_PERIOD_GROUPS_H
#define HRLI_PERIOD_GROUPS_H

#include "release_by_mask.h"

/*
 * Store: the tasks of one period and one offset share an instant, at which they are due next, and a
 * release mask. No task is put in or taken out: a waiting task is a bit (release_mask.h).
 *
 * An instant looks at every group, and a system has few periods. Periods are at most
 * HRLI_PERIOD_HOP_COUNTS; fractions of a count accumulate, as in the tasks themselves.
 */
struct hrli_period_group {
    hrl_stamp next; /* the first release at first */
    struct hrli_period period;
    struct hrli_release_mask mask;
};

struct hrli_period_groups {
    struct hrli_period_group *groups;
    uint32_t count; /* at least 1 */
    hrl_stamp due;  /* the first of all `next`; kept by hrli_period_groups_release_and_find */
};

/* Releases a group if it is due at `instant`. */
static inline void hrli_period_group_release(struct hrli_releaser *releaser,
                                             struct hrli_period_group *group, hrl_stamp instant)
{
    if (group->next == instant) {
        group->next = hrli_period_advance(&group->period, instant);
        hrli_release_by_mask(releaser, group->mask.parts, group->mask.count, instant);
    }
}

/* hrli_store.release_due for a periodic mode: every instant of the releaser, in turn. */
static inline void hrli_period_groups_release_due(struct hrli_releaser *releaser, void *store,
                                                  hrl_stamp instant)
{
    struct hrli_period_groups *groups = store;
    struct hrli_period_group *end = groups->groups + groups->count;

    for (struct hrli_period_group *group = groups->groups; group != end; group++) {
        hrli_period_group_release(releaser, group, instant);
    }
}

/* hrli_store.due for a one-shot mode; set to begin with. */
static inline const hrl_stamp *hrli_period_groups_due(void *store)
{
    return &((const struct hrli_period_groups *)store)->due;
}

/* hrli_store.release_due for a one-shot mode: every `due`, in turn. */
static inline void hrli_period_groups_release_and_find(struct hrli_releaser *releaser, void *store,
                                                       hrl_stamp instant)
{
    struct hrli_period_groups *groups = store;
    struct hrli_period_group *end = groups->groups + groups->count;
    uint32_t ahead = UINT32_MAX; /* counts from `instant` to the next */

    for (struct hrli_period_group *group = groups->groups; group != end; group++) {
        hrli_period_group_release(releaser, group, instant);
        if (group->next - instant < ahead) {
            ahead = group->next - instant;
        }
    }
    groups->due = instant + ahead;
}

/* For kernel/assemble/store.h. */
#define HRLI_PUT_period_groups hrli_release_by_mask_put
#define HRLI_STATIC_STORE_period_groups(store)                                                     \
    HRLI_PUT_STORE(store, hrli_period_groups_release_due, hrli_period_groups_due,                  \
                   hrli_period_groups_release_and_find)

#endif
