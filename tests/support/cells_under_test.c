/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cell_releaser.h"
#include "handler.h"
#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "releasers_under_test.h"

/* The cells of a system under test, and their handlers. */

bool sut_bare_cells;
void (*sut_cell_handler)(void);

/* The last cell's handler may be the test's own. */
static void (*own_handler)(void);

static void interrupt(unsigned channel)
{
    if (channel == 0 && sut_cell_handler != NULL) {
        sut_cell_handler();
    } else if (sut_bare_cells) {
        return;
    } else if (channel == SUT_RELEASERS - 1 && own_handler != NULL) {
        own_handler(); /* an application's: what it calls asks for the dispatch itself */
    } else {
        sut_interrupt(channel);
    }
}

/* As generated systems have it, but what the handler serves is chosen at run time. */
#define CELL(channel)                                                                              \
    HRLI_CELL(channel, hrlp_host, channel)                                                         \
    HRLI_HANDLER(host_cell##channel, HRLI_ACKNOWLEDGE(hrlp_host, channel) interrupt(channel);)
CELL(0)
CELL(1)
CELL(2)
CELL(3)

const struct hrlp_cell *const sut_cells[SUT_RELEASERS] = {&cell_0, &cell_1, &cell_2, &cell_3};
/* Cells 0 and 1 as counters that are set for a longer interval, the others with the host's reload register. */
#define STRETCH(channel)                                                                           \
    static void stretch_##channel(hrl_stamp due, uint32_t period, bool longer)                     \
    {                                                                                              \
        hrlp_irq_state state = hrlp_irq_lock();                                                    \
                                                                                                   \
        if (channel > 1) {                                                                         \
            hrlp_host_stretch(channel, due, period, longer);                                       \
        } else if (longer && hrli_stamp_after(due, (hrl_stamp)hrlp_host_now())) {                  \
            hrlp_host_start_periodic(channel, due, period);                                        \
        }                                                                                          \
        hrlp_irq_unlock(state);                                                                    \
    }
STRETCH(0)
STRETCH(1)
STRETCH(2)
STRETCH(3)
void (*const sut_stretches[SUT_RELEASERS])(hrl_stamp due, uint32_t period, bool longer) = {
    stretch_0, stretch_1, stretch_2, stretch_3};
void (*const sut_rearms[SUT_RELEASERS])(hrl_stamp due) = {cell_0_rearm, cell_1_rearm, cell_2_rearm,
                                                          cell_3_rearm};

void sut_cells_reset(void)
{
    own_handler = NULL;
    sut_bare_cells = false;
    sut_cell_handler = NULL;
}

void sut_interrupt_in(hrl_counts counts, void (*handler)(void))
{
    hrlp_irq_state state = hrlp_irq_lock();

    own_handler = handler;
    hrlp_host_prepare(3, HRL_INTERRUPT_KERNEL);
    hrlp_host_arm(3, (hrl_stamp)(hrlp_host_now() + counts));
    hrlp_irq_unlock(state);
}
