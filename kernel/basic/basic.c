/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "line.h"
#include "line_state.h"
#include "overrun.h"

/* The calls of basic tasks for applications. */

/*
 * Activates `task` and adds to `raise` what is to be raised for it. Context: interrupts masked.
 */
static enum hrl_status activate(const struct hrl_basic *task, uint32_t *raise)
{
    if (hrli_line_is_full(task)) {
        hrli_basic_overrun(task);
        return HRL_FULL;
    }
    *raise |= hrli_line_activate(task);
    return HRL_OK;
}

enum hrl_status hrl_basic_activate(const struct hrl_basic *task)
{
    return hrl_basic_activate_all(&task, 1);
}

enum hrl_status hrl_basic_activate_all(const struct hrl_basic *const *tasks, uint32_t count)
{
    hrlp_irq_state state = hrlp_irq_lock();
    enum hrl_status status = HRL_OK;
    uint32_t raise = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (activate(tasks[i], &raise) != HRL_OK) {
            status = HRL_FULL;
        }
    }
    hrlp_line_raise(raise);
    hrlp_irq_unlock(state);
    hrlp_line_settle();
    return status;
}

HRLP_CONST char *hrl_basic_name(const struct hrl_basic *task)
{
    return HRLP_CONST_AT(task)->name;
}

uint32_t hrl_basic_overruns(const struct hrl_basic *task)
{
    return HRLP_CONST_AT(task)->counts[HRLI_BASIC_OVERRUNS];
}
