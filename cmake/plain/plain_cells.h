/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_CELLS_H
#define PLAIN_CELLS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The plain_cell_* of a board (plain_system.h), for channel `cell` of a device with functions that
 * begin with `device`. At file scope, without a semicolon.
 */
#define PLAIN_TIME_CELL_PREPARE(device, cell)                                                      \
    static inline void plain_cell_prepare(void)                                                    \
    {                                                                                              \
        device##_prepare(cell, PLAIN_TIME_PRIORITY);                                               \
    }
#define PLAIN_TIME_CELL_ARM(device, cell, arm)                                                     \
    static inline void plain_cell_start_periodic(hrl_stamp first, uint32_t period)                 \
    {                                                                                              \
        device##_start_periodic(cell, first, period);                                              \
    }                                                                                              \
    static void plain_cell_arm(hrl_stamp due)                                                      \
    {                                                                                              \
        device##_##arm(cell, due);                                                                 \
    }

/*
 * The plain_slice_* of a board (plain_system.h): the verbs of a device with functions that begin
 * with `device`, for one of its channels, `cell`. At
 * file scope, without a semicolon.
 */
#define PLAIN_SLICE_CELL_DEFINE(device, cell)                                                      \
    static inline void plain_slice_prepare(void)                                                   \
    {                                                                                              \
        device##_prepare(cell, HRL_INTERRUPT_KERNEL);                                              \
    }                                                                                              \
    static inline void plain_slice_acknowledge(void)                                               \
    {                                                                                              \
        device##_acknowledge(cell);                                                                \
    }                                                                                              \
    static inline void plain_slice_start(uint32_t counts)                                          \
    {                                                                                              \
        device##_slice_start(cell, counts);                                                        \
    }                                                                                              \
    static inline void plain_slice_restart(void)                                                   \
    {                                                                                              \
        device##_slice_restart(cell);                                                              \
    }                                                                                              \
    static inline bool plain_slice_is_over(void)                                                   \
    {                                                                                              \
        return device##_slice_is_over(cell);                                                       \
    }                                                                                              \
    static inline void plain_slice_prolong(uint32_t by, uint32_t counts)                           \
    {                                                                                              \
        device##_slice_prolong(cell, by, counts);                                                  \
    }

#endif
