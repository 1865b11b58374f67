/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_STEPPED_CELL_H
#define HRLI_STEPPED_CELL_H

#include "cell_steps.h"
#include "store.h"

/*
 * A periodic cell with a period that is no whole number of counts (cell_steps.h), of threads
 * (stepped_releaser.h) or of basic tasks. At file scope, without a semicolon:
 *
 *     HRLI_CELL_STEPS(0, hrlp_cmsdk_timer, 0u, 25000u, 8333u, 1u, 3u, 0u)
 *
 * Channel `instance` of `device` interrupts every `period` + `part` / `of` counts from the stamp
 * `first` + `begin` / `of` on. Then, where it releases basic tasks, HRLI_STEP(0) comes first in its
 * handler, and HRLI_START_STEPPED(0) stands in the start-up code for HRLI_START_PERIODIC.
 *
 * The device is started by a function of its own, with which its latency was measured: inlined, other instructions
 * could come between the clock's reading and the counter's start.
 */
#define HRLI_CELL_STEPS(i, device, instance, first, period, part, of, begin)                       \
    HRLI_CELL_STRETCH(i, device, instance)                                                         \
    static __attribute__((noinline)) void cell_##i##_start_device(hrl_stamp from, uint32_t counts) \
    {                                                                                              \
        device##_start_periodic(instance, from, counts);                                           \
    }                                                                                              \
    static const struct hrli_cell_steps_kind step_kind_##i = {                                     \
        period, part, of, device##_stretches_ahead, cell_##i##_start_device, cell_##i##_stretch};  \
    static struct hrli_cell_steps steps_##i =                                                      \
        HRLI_CELL_STEPS_FROM(first, period, part, of, begin, device##_stretches_ahead);

#define HRLI_CELL_STRETCH(i, device, instance)                                                     \
    HRLI_ASSEMBLED_INLINE void cell_##i##_stretch(hrl_stamp due, uint32_t counts, bool longer)     \
    {                                                                                              \
        device##_stretch(instance, due, counts, longer);                                           \
    }

#define HRLI_STEP(i) hrli_cell_steps_interrupt(&steps_##i, &step_kind_##i);
#define HRLI_START_STEPPED(i) hrli_cell_steps_start(&step_kind_##i, &steps_##i, steps_##i.next);

#endif
