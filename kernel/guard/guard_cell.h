/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_GUARD_CELL_H
#define HRLI_GUARD_CELL_H

#include <hrl/types.h>
#include <stdbool.h>

/*
 * One one-shot cell for all guards, where cells are scarce: it monitors deadlines (deadline.h, single_deadline.h,
 * moving_deadlines.h) and counts budgets (budget.h). Either of the two asks for an instant or for none, as if it
 * had the cell alone; the cell is armed for the sooner one.
 *
 * Both instants are less than 2^31 counts apart: a budget is below 2^29 counts, and deadlines are armed for hops of
 * 2^30 counts at most. An instant that has passed interrupts at once, as with a cell of its own.
 *
 * Source: SLOTH ON TIME (Hofer et al., RTSS 2012), section IV-F.
 */
enum hrli_guard_role { HRLI_GUARD_DEADLINES, HRLI_GUARD_BUDGETS, HRLI_GUARD_ROLES };

/* What a role asks for. */
struct hrli_guard_request {
    hrl_stamp due;
    bool is_open; /* false: for no instant */
};

/* The cell; `arm` and `disarm` are the device's, context: as hrlp_cell_arm. */
struct hrli_guard_cell {
    struct hrli_guard_request *requests; /* by roles */
    void (*arm)(hrl_stamp due);
    void (*disarm)(void);
};

/* As hrlp_cell_arm and hrlp_cell_disarm, for `role`. Context: interrupts masked. Cost: constant. */
void hrli_guard_cell_arm(const struct hrli_guard_cell *cell, enum hrli_guard_role role,
                         hrl_stamp due);
void hrli_guard_cell_disarm(const struct hrli_guard_cell *cell, enum hrli_guard_role role);

/*
 * Whether the instant of `role` has come. It is asked for no longer then, and the cell is armed for what is left.
 * Context: the cell's handler, acknowledged. Cost: constant.
 */
bool hrli_guard_cell_take(const struct hrli_guard_cell *cell, enum hrli_guard_role role);

#endif
