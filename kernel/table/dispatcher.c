/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatcher.h"
#include "dispatcher_round.h"

static void serve_row(struct hrli_dispatcher *dispatcher)
{
    HRLP_CONST struct hrli_line_row *row = dispatcher->row;
    hrlp_irq_state state;

    hrlp_trace_served(dispatcher, dispatcher->due + HRLP_CELL_EARLY_COUNTS);
    hrli_line_row_serve(row, dispatcher->kind->alone, dispatcher->kind->shared, UINT32_MAX, false);
    state = hrlp_irq_lock();
    dispatcher->is_first = false;
    dispatcher->due += row->gap;
    dispatcher->row = row + 1;
    if (dispatcher->row == dispatcher->mode->end) {
        hrli_dispatcher_leave_rows(dispatcher);
    }
    hrlp_irq_unlock(state);
}

static void step(struct hrli_dispatcher *dispatcher)
{
    hrlp_irq_state state;

    if (dispatcher->place == HRLI_DISPATCHER_ROW) {
        serve_row(dispatcher);
        return;
    }
    state = hrlp_irq_lock();
    if (dispatcher->place == HRLI_DISPATCHER_SYNC) {
        hrli_dispatcher_correct(dispatcher);
    } else {
        hrli_dispatcher_change(dispatcher);
    }
    hrlp_irq_unlock(state);
}

static bool is_due(const struct hrli_dispatcher *dispatcher)
{
    return dispatcher->place != HRLI_DISPATCHER_NOWHERE &&
           !hrli_stamp_after(dispatcher->due, hrlp_clock_read());
}

void hrli_dispatcher_interrupt(struct hrli_dispatcher *dispatcher)
{
    hrlp_irq_state state;

    while (is_due(dispatcher)) {
        step(dispatcher);
    }
    state = hrlp_irq_lock();
    if (dispatcher->place != HRLI_DISPATCHER_NOWHERE) {
        dispatcher->kind->arm(dispatcher->due + HRLP_CELL_EARLY_COUNTS);
    }
    hrlp_irq_unlock(state);
}
