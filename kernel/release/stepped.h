/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_STEPPED_H
#define HRLI_STEPPED_H

#include "cell_steps.h"
#include "periodic.h"

/*
 * Mode: periodic, with a period that is no whole number of counts. All but the functions below are
 * periodic.h's; `cell_period` is the period's whole part, and every `divider`-th interrupt is an
 * instant of the releaser.
 */

/* As hrli_periodic_serve. */
static inline __attribute__((always_inline)) void
hrli_stepped_serve(struct hrli_periodic *releaser, void *queue, const struct hrli_store *store,
                   uint32_t divider, struct hrli_cell_steps *steps,
                   const struct hrli_cell_steps_kind *kind)
{
    struct hrli_releaser *base = &releaser->base;
    bool is_late = false;

    do {
        hrl_stamp instant = base->next;
        uint32_t accumulated = steps->accumulated;
        uint32_t counts = hrli_cell_steps_tell(kind, instant, &accumulated);

        if (!hrli_cell_steps_in_time(instant, counts)) {
            if (!hrli_cell_steps_passed(kind, instant, steps->accumulated)) {
                return;
            }
            is_late = true; /* so the device is to be started anew in the end */
        }
        base->next = instant + counts;
        steps->accumulated = accumulated;
        hrli_releaser_mark_served(base, instant);
        if (divider == 1) {
            store->release_due(base, queue, instant);
            continue;
        }
        if (releaser->skip == 0) {
            releaser->skip = divider;
            store->release_due(base, queue, instant);
        }
        releaser->skip--;
    } while (is_late);
}

/* The cell's interrupt, acknowledged. Context: its handler. */
static inline __attribute__((always_inline)) void
hrli_stepped_interrupt(struct hrli_periodic *releaser, void *queue, const struct hrli_store *store,
                       uint32_t divider, struct hrli_cell_steps *steps,
                       const struct hrli_cell_steps_kind *kind)
{
    if (releaser->base.busy) {
        releaser->base.deferred = true;
        return;
    }
    hrli_stepped_serve(releaser, queue, store, divider, steps, kind);
}

#endif
