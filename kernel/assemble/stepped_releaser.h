/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_STEPPED_RELEASER_H
#define HRLI_STEPPED_RELEASER_H

#include "cell_releaser.h"
#include "stepped.h"
#include "stepped_cell.h"

/*
 * A periodic releaser of threads on a cell that steps: HRLI_CELL_STEPS and HRLI_STEPPED_CELL stand for
 * HRLI_CELL, HRLI_STEPPED for HRLI_PERIODIC, HRLI_STEPPED_PARTNER for HRLI_PERIODIC_PARTNER, with
 * their arguments (cell_releaser.h); `period` is the whole part.
 */
#define HRLI_STEPPED_CELL(i)                                                                       \
    static void cell_##i##_start_periodic(hrl_stamp first, uint32_t period)                        \
    {                                                                                              \
        (void)period;                                                                              \
        hrli_cell_steps_start(&step_kind_##i, &steps_##i, first);                                  \
    }                                                                                              \
    static const struct hrlp_cell cell_##i = {cell_##i##_start_periodic, NULL, NULL};

#define HRLI_STEPPED(i, kind, store, begin, period, divide)                                        \
    HRLI_STEPPED_SERVE(i, kind, store, divide)                                                     \
    static void serve_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        serve_own_##i(releaser);                                                                   \
    }                                                                                              \
    HRLI_PERIODIC_BUT_SERVE(i, kind, store, begin, period, divide)

#define HRLI_STEPPED_PARTNER(i, kind, store, begin, period, divide, with)                          \
    HRLI_STEPPED_SERVE(i, kind, store, divide)                                                     \
    static void serve_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        serve_own_##i(releaser);                                                                   \
        hrli_cooperative_visit_late(&parts_##with, (struct hrli_periodic *)releaser);              \
    }                                                                                              \
    HRLI_PERIODIC_BUT_SERVE(i, kind, store, begin, period, divide)

#define HRLI_STEPPED_SERVE(i, kind, store, divide)                                                 \
    static const uint32_t every_##i = divide;                                                      \
    static __attribute__((noinline)) void serve_own_##i(struct hrli_releaser *releaser)            \
    {                                                                                              \
        hrli_stepped_serve((struct hrli_periodic *)releaser, HRLI_KEPT(i),                         \
                           &HRLI_PERIODIC_STORE_##kind(store), every_##i, &steps_##i,              \
                           &step_kind_##i);                                                        \
    }

/* In the handler of the cell, acknowledged. */
#define HRLI_SERVE_STEPPED(i, kind, store)                                                         \
    HRLI_STEPPED_INTERRUPT_##kind(&hrl_gen_releaser_##i, HRLI_KEPT(i),                             \
                                  &HRLI_PERIODIC_STORE_##kind(store), every_##i, &steps_##i,       \
                                  &step_kind_##i, serve_own_##i);
#define HRLI_SERVE_STEPPED_PARTNER(i, kind, store, with)                                           \
    HRLI_SERVE_STEPPED(i, kind, store)                                                             \
    hrli_cooperative_visit(&parts_##with, &hrl_gen_releaser_##i);

#define HRLI_STEPPED_INTERRUPT_QUEUE hrli_stepped_interrupt
#define HRLI_STEPPED_INTERRUPT_STATIC hrli_stepped_serve_one

#endif
