/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "guard_cell.h"
#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "stamp.h"

static void arm_for_sooner(const struct hrli_guard_cell *cell)
{
    const struct hrli_guard_request *deadlines = &cell->requests[HRLI_GUARD_DEADLINES];
    const struct hrli_guard_request *budgets = &cell->requests[HRLI_GUARD_BUDGETS];

    if (budgets->is_open &&
        (!deadlines->is_open || hrli_stamp_after(deadlines->due, budgets->due))) {
        cell->arm(budgets->due);
    } else if (deadlines->is_open) {
        cell->arm(deadlines->due);
    } else {
        cell->disarm();
    }
}

void hrli_guard_cell_arm(const struct hrli_guard_cell *cell, enum hrli_guard_role role,
                         hrl_stamp due)
{
    cell->requests[role].due = due;
    cell->requests[role].is_open = true;
    arm_for_sooner(cell);
}

void hrli_guard_cell_disarm(const struct hrli_guard_cell *cell, enum hrli_guard_role role)
{
    cell->requests[role].is_open = false;
    arm_for_sooner(cell);
}

bool hrli_guard_cell_take(const struct hrli_guard_cell *cell, enum hrli_guard_role role)
{
    struct hrli_guard_request *request = &cell->requests[role];
    hrlp_irq_state state = hrlp_irq_lock();
    bool has_come = request->is_open &&
                    !hrli_stamp_after(request->due, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS);

    if (has_come) {
        hrli_guard_cell_disarm(cell, role);
    }
    hrlp_irq_unlock(state);
    return has_come;
}
