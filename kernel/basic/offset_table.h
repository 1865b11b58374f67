/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_OFFSET_TABLE_H
#define HRLI_OFFSET_TABLE_H

#include "overrun.h"
#include <stdbool.h>
#include <stdint.h>

/*
 * Points that are not evenly spaced, of a task that is its cell's interrupt. The cell runs on for ever; each
 * of its interrupts moves the comparison on by the counts from its own point to the next, which are in ROM.
 * So the points do not drift, and a late handler delays none.
 *
 * Whatever uses up an interrupt moves the comparison, once: the start of a job; or, if the point met
 * an unfinished job, the controller's report of that. A comparison that is moved to an instant
 * that has passed would never interrupt, so points that have passed by then, or are about to, are passed over.
 * They are overruns: at the earliest they come while the job of the one before them runs.
 *
 * Source: SLOTH ON TIME (Hofer et al., RTSS 2012), section IV-F, multiplexing of activation cells by offset arrays.
 */
struct hrli_offset {
    uint32_t counts; /* from this point to the next; at least HRLI_OFFSET_NEAR, below 2^31 */
    const struct hrli_offset *next;
};

/* The cell that follows an offset table; all are constants. */
struct hrli_offset_cell {
    const struct hrl_basic *task;
    uint32_t (*compare)(void);        /* the comparison */
    void (*set_compare)(uint32_t to); /* another one */
    int32_t (*ahead)(void); /* counts up to it; at most 0 if it has passed (hrlp_cell.h) */
    bool (*forget)(void);   /* a request that has met the active job */
};

/* Points that are nearer than so many counts when the comparison is moved to them are passed over. */
#define HRLI_OFFSET_NEAR 64

/* The comparison moves on. Context: interrupts of the cell are held off. */
static inline __attribute__((always_inline)) void
hrli_offset_move(const struct hrli_offset *volatile *at, const struct hrli_offset_cell *cell)
{
    const struct hrli_offset *point = *at;

    *at = point->next;
    cell->set_compare(cell->compare() + point->counts);
}

/*
 * The comparison has been moved to an instant that is past or near: all such points are overruns. Their
 * requests, if the cell has come to raise one, are forgotten. Context: as hrli_offset_move; the line is active.
 */
static inline __attribute__((always_inline)) void
hrli_offset_pass(const struct hrli_offset *volatile *at, const struct hrli_offset_cell *cell)
{
    uint32_t passed = 0;

    do {
        passed++;
        hrli_offset_move(at, cell);
    } while (cell->ahead() < HRLI_OFFSET_NEAR);
    (void)cell->forget();
    for (; passed != 0; passed--) { /* now, as the hook may take longer than from point to point */
        hrli_basic_overrun(cell->task);
    }
}

/* A point has met an unfinished job, which has been reported. Context: the handler of overruns. */
static inline __attribute__((always_inline)) void
hrli_offset_overran(const struct hrli_offset *volatile *at, const struct hrli_offset_cell *cell)
{
    hrli_offset_move(at, cell);
    if (cell->ahead() < HRLI_OFFSET_NEAR) {
        hrli_offset_pass(at, cell);
    }
}

#endif
