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

/* As hrli_periodic_serve, for any case. */
static inline __attribute__((always_inline)) void
hrli_stepped_serve(struct hrli_periodic *releaser, void *queue, const struct hrli_store *store,
                   uint32_t divider, struct hrli_cell_steps *steps,
                   const struct hrli_cell_steps_kind *kind)
{
    while (hrli_cell_steps_passed(kind, steps, releaser->base.next)) {
        uint32_t counts = hrli_cell_steps_advance(kind, steps);

        hrli_periodic_serve_instant(releaser, releaser->base.next, counts, queue, store, divider);
    }
}

/*
 * The cell's interrupt, acknowledged, in the usual case: its own instant has passed, and no other. In all
 * others `serve` does: hrli_stepped_serve of the same releaser. Context: its handler.
 */
static inline __attribute__((always_inline)) void
hrli_stepped_serve_one(struct hrli_periodic *releaser, void *queue, const struct hrli_store *store,
                       uint32_t divider, struct hrli_cell_steps *steps,
                       const struct hrli_cell_steps_kind *kind,
                       void (*serve)(struct hrli_releaser *releaser))
{
    hrl_stamp instant = releaser->base.next;
    struct hrli_cell_steps_after after;
    uint32_t counts = hrli_cell_steps_tell(kind, steps, instant, &after);

    if (hrli_cell_steps_in_time(instant, counts)) {
        hrli_cell_steps_keep(kind, steps, &after);
        hrli_periodic_serve_instant(releaser, instant, counts, queue, store, divider);
    } else {
        serve(&releaser->base);
    }
}

/* hrli_stepped_serve of a releaser over a delay queue. */
static inline __attribute__((always_inline)) void
hrli_stepped_interrupt(struct hrli_periodic *releaser, void *queue, const struct hrli_store *store,
                       uint32_t divider, struct hrli_cell_steps *steps,
                       const struct hrli_cell_steps_kind *kind,
                       void (*serve)(struct hrli_releaser *releaser))
{
    if (releaser->base.busy) {
        releaser->base.deferred = true;
        return;
    }
    hrli_stepped_serve_one(releaser, queue, store, divider, steps, kind, serve);
}

#endif
