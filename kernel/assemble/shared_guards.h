/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SHARED_GUARDS_H
#define HRLI_SHARED_GUARDS_H

#include "budgets.h"
#include "guard_cell.h"
#include "handler.h"
#include "hrlp_cell.h"
#include "hrlp_cpu.h"

/*
 * One cell for monitored deadlines and execution budgets becomes code (guard_cell.h). At file scope, without a
 * semicolon.
 *
 * On channel `instance` of `device`. Behind it `guard_cell` is a device for the macros of deadlines and of budgets,
 * which has the roles as channels.
 */
#define HRLI_SHARED_GUARD_CELL(device, instance)                                                   \
    static struct hrli_guard_request guard_requests[HRLI_GUARD_ROLES];                             \
    static void arm_guard(hrl_stamp due)                                                           \
    {                                                                                              \
        device##_arm(instance, due);                                                               \
    }                                                                                              \
    static void disarm_guard(void)                                                                 \
    {                                                                                              \
        device##_disarm(instance);                                                                 \
    }                                                                                              \
    static const struct hrli_guard_cell guards = {guard_requests, arm_guard, disarm_guard};        \
    static inline void guard_cell_arm(enum hrli_guard_role role, hrl_stamp due)                    \
    {                                                                                              \
        hrli_guard_cell_arm(&guards, role, due);                                                   \
    }                                                                                              \
    static inline void guard_cell_disarm(enum hrli_guard_role role)                                \
    {                                                                                              \
        hrli_guard_cell_disarm(&guards, role);                                                     \
    }                                                                                              \
    static inline void guard_cell_acknowledge(enum hrli_guard_role role)                           \
    {                                                                                              \
        (void)hrli_guard_cell_take(&guards, role);                                                 \
    }

/*
 * The handler of the cell; the rest of the line serves deadlines. These come first, and a budget that is used up at
 * the same instant is served by an interrupt that follows: what serves deadlines is not charged to it, and restores it.
 */
#define HRLI_SHARED_GUARD_HANDLER(name, device, instance, ...)                                     \
    void (*hrl_gen_guard_interrupt(void))(void);                                                   \
    void (*hrl_gen_guard_interrupt(void))(void)                                                    \
    {                                                                                              \
        HRLI_ACKNOWLEDGE(device, instance)                                                         \
        if (hrli_guard_cell_take(&guards, HRLI_GUARD_DEADLINES)) {                                 \
            HRLI_PAUSING(__VA_ARGS__)                                                              \
            return NULL;                                                                           \
        }                                                                                          \
        return hrl_gen_budget_interrupt();                                                         \
    }                                                                                              \
    HRLP_CPU_REDIRECTING_HANDLER(name, hrl_gen_guard_interrupt)

#endif
