/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_MASK_TABLE_H
#define HRLI_MASK_TABLE_H

#include "release_by_mask.h"

/*
 * Store: the release instants of a hyperperiod in order, each with the mask of the tasks that it
 * releases. No task is put in or taken out: a waiting task is a bit (release_mask.h). To find the
 * due tasks and to find the next instant both take constant time; the price is the table.
 *
 * Where offsets are longer than periods the rows before `cycle` come once, before the first cycle.
 */
struct hrli_mask_row {
    uint32_t gap;  /* counts to the next row's instant, below 2^31 */
    unsigned mask; /* index into the masks */
};

struct hrli_mask_table {
    HRLP_CONST struct hrli_mask_row *rows;
    HRLP_CONST struct hrli_release_mask *masks;
    unsigned count; /* of rows */
    unsigned cycle; /* the row that follows the last */
    unsigned at;    /* the next row */
    hrl_stamp next; /* its instant */
};

/* hrli_store.due. */
static inline const hrl_stamp *hrli_mask_table_due(void *store)
{
    return &((const struct hrli_mask_table *)store)->next;
}

/*
 * hrli_store.release_due: every instant of the releaser, in turn; those of a periodic mode may have
 * no row.
 */
static inline void hrli_mask_table_release_due(struct hrli_releaser *releaser, void *store,
                                               hrl_stamp instant)
{
    struct hrli_mask_table *table = store;
    HRLP_CONST struct hrli_mask_row *row = &table->rows[table->at];
    HRLP_CONST struct hrli_release_mask *mask;

    if (table->next != instant) {
        return;
    }
    table->next = instant + row->gap;
    if (++table->at == table->count) {
        table->at = table->cycle;
    }
    mask = &table->masks[row->mask];
    hrli_release_by_mask(releaser, mask->parts, mask->count, instant);
}

/* For kernel/assemble/store.h. */
#define HRLI_PUT_mask_table hrli_release_by_mask_put
#define HRLI_STATIC_STORE_mask_table(store)                                                        \
    HRLI_PUT_STORE(store, hrli_mask_table_release_due, hrli_mask_table_due,                        \
                   hrli_mask_table_release_due)

#endif
