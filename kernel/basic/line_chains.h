/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_CHAINS_H
#define HRLI_LINE_CHAINS_H

#include "line_group.h"

/*
 * Releaser of basic tasks over chains of groups with periods that divide one another, on a periodic
 * cell: each level of a chain counts the instants of the one before it, the first those of the
 * releaser, so that the first level that is not due ends the search (kernel/release/harmonic_array.h).
 */
struct hrli_line_level {
    uint32_t every; /* instants of the level before it between two of its own; the first: of all */
    uint32_t left;  /* how many of these until its next, that one included */
    uint32_t raise; /* the lines to raise, as a set */
    HRLP_CONST struct hrli_line_part *parts; /* a head, as in a row of a table */
};

struct hrli_line_chain {
    struct hrli_line_level *levels;
    uint32_t count; /* of levels */
};

struct hrli_line_chains {
    HRLP_CONST struct hrli_line_chain *chains;
    uint32_t count;
    uint32_t period; /* counts between two instants of the releaser */
    hrl_stamp *due;  /* HRLI_LINE_TABLE_DUE of its next instant */
};

/* Releases the levels of `chain` that are due. Context: the cell's handler. */
static inline __attribute__((always_inline)) void
hrli_line_chain_serve(HRLP_CONST struct hrli_line_chain *chain, hrl_stamp due,
                      volatile hrl_stamp *served, const struct hrli_line_groups_kind *kind)
{
    struct hrli_line_level *level = chain->levels;
    const struct hrli_line_level *end = level + chain->count;

    for (; level != end && --level->left == 0; level++) {
        level->left = level->every;
        *served = due;
        hrlp_trace_served((const void *)(uintptr_t)served, due + HRLP_CELL_EARLY_COUNTS);
        hrli_line_group_release(level->parts, level->raise, kind);
    }
}

/*
 * Serves every instant that has passed; `store` is a constant. Context: the cell's handler,
 * acknowledged.
 */
static inline __attribute__((always_inline)) void
hrli_line_chains_interrupt(const struct hrli_line_chains *store, volatile hrl_stamp *served,
                           const struct hrli_line_groups_kind *kind)
{
    hrl_stamp now = hrlp_clock_read();
    hrl_stamp due = *store->due;

    while (hrli_stamp_has_passed(due, now, kind->ahead)) {
        for (uint32_t i = 0; i < store->count; i++) {
            hrli_line_chain_serve(&store->chains[i], due, served, kind);
        }
        due += store->period;
    }
    *store->due = due;
}

#endif
