/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#define HRLI_OUT_OF_LINE /* here stands what the public header may inline */
#include "check.h"
#include "hrlp_irq.h"
#include <hrl/interrupt.h>

/* Lines and the lock, for applications. */

static void check_line(uint32_t line)
{
    HRLI_CHECK(line < HRLP_IRQ_LINES, "an interrupt line that does not exist");
    (void)line; /* in a build without checks */
}

enum hrl_status hrl_interrupt_enable(uint32_t line, uint32_t priority)
{
    check_line(line);
    HRLI_CHECK(priority >= HRL_INTERRUPT_LOWEST && priority <= HRL_INTERRUPT_HIGHEST,
               "an interrupt's priority is from 1 to 7");
    if (priority > HRLP_IRQ_HIGHEST) {
        return HRL_UNSUPPORTED;
    }
    hrlp_irq_enable_at((int)line, priority);
    return HRL_OK;
}

void hrl_interrupt_disable(uint32_t line)
{
    check_line(line);
    hrlp_irq_disable((int)line);
}

enum hrl_status hrl_interrupt_raise(uint32_t line)
{
    check_line(line);
    if (!HRLP_IRQ_CAN_RAISE) {
        return HRL_UNSUPPORTED;
    }
    if (!HRL_CHECKS && line >= HRLP_IRQ_LINES) {
        __builtin_unreachable(); /* ports raise what is no line of the controller by a negative number */
    }
    hrlp_irq_raise((int)line);
    return HRL_OK;
}

hrl_interrupt_state hrl_interrupt_lock(void)
{
    HRLI_CHECK_CALL("hrl_interrupt_lock");
    return hrlp_irq_lock();
}

void hrl_interrupt_unlock(hrl_interrupt_state state)
{
    HRLI_CHECK_CALL("hrl_interrupt_unlock");
    hrlp_irq_unlock(state);
}
