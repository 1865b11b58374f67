/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include "hrlp_upcalls.h"

/* Called by hrlp_rv32_line_entry (switch.S). */
void hrlp_rv32_line(void);

void hrlp_rv32_line(void)
{
    hrli_interrupt_taken((int)HRLP_RV32_ACTIVE_SOURCE);
}

/* Linked if the application attaches no handler. */
__attribute__((weak)) void hrli_interrupt_taken(int line)
{
    hrlp_irq_unhandled(line);
}

/* The level below which lines are held off, as it would be without the handler of overruns. */
static unsigned held_off_below(void)
{
    hrlp_irq_state state = hrlp_irq_lock();
    unsigned level;

    HRLP_RV32_PRIORITY[HRLP_RV32_OVERRUN_SOURCE] = 0;
    level = hrlp_line_level();
    HRLP_RV32_PRIORITY[HRLP_RV32_OVERRUN_SOURCE] = HRLP_RV32_PRIORITIES;
    hrlp_irq_unlock(state);
    return level;
}

/*
 * A request that met one which waited is merged with it. If nothing holds that off any more, what was
 * met is a job that has ended since, behind its body: the request leads to the next one in time.
 * (Or, which cannot be told from that, one that waited until just now, for what held it off: an overrun
 * in the last cycles of that is dropped, and not counted.)
 */
bool hrlp_rv32_overran(int line)
{
    const unsigned word = (unsigned)line / 32u;
    const uint32_t bit = 1u << ((unsigned)line % 32u);

    if ((HRLP_RV32_OVERRUN[word] & bit) == 0) {
        return false;
    }
    HRLP_RV32_OVERRUN[word] = bit;
    if (hrlp_line_is_active(line)) {
        HRLP_RV32_CLEAR[word] = bit;
        return true;
    }
    return held_off_below() >= HRLP_RV32_PRIORITY[line];
}
