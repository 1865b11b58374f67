/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_STATIC_STORES_UNDER_TEST_H
#define SUPPORT_STATIC_STORES_UNDER_TEST_H

#include "harmonic_array.h"
#include "mask_table.h"
#include "period_groups.h"
#include "system_under_test.h"

/*
 * What the tool computes of a system's tasks and writes as tables, computed here of the tasks of a
 * system under test: period groups, mask tables, harmonic chains, places in release masks.
 */
struct sut_static_stores {
    struct hrli_harmonic_array harmonic;
    struct hrli_period_groups groups;
    struct hrli_mask_table table;
};

/* What a store is built of: the tasks of releaser `releaser`. */
struct sut_static_input {
    const struct sut_task *tasks;
    struct hrli_periodic_thread *threads; /* level and mask bit are set already */
    unsigned count;
    unsigned releaser;
    hrl_stamp zero;     /* t = 0 */
    uint32_t interval;  /* counts between instants, of a periodic releaser */
    hrl_counts horizon; /* a table that does not repeat lasts so long, and then some */
};

/* Forgets everything; before the stores of a system are built. */
void sut_static_stores_reset(void);

/*
 * Of a level the task of the lowest number has the highest bit. `uses_masks` says which releasers'
 * tasks have one.
 */
void sut_static_stores_place(const struct sut_task *tasks, struct hrli_periodic_thread *threads,
                             unsigned count, const bool *uses_masks);

void sut_static_stores_build(struct sut_static_stores *stores, enum sut_store store,
                             const struct sut_static_input *input);

#endif
