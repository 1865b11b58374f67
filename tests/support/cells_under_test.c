/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "releasers_under_test.h"

/* The cells of a system under test, and their handlers. */

bool sut_bare_cells;
void (*sut_cell_handler)(void);

/* What is generated for each cell. */
#define CELL(channel)                                                                              \
    static void start_periodic##channel(hrl_stamp first_instant, uint32_t period)                  \
    {                                                                                              \
        hrlp_host_start_periodic(channel, first_instant, period);                                  \
    }                                                                                              \
    static void arm##channel(hrl_stamp due)                                                        \
    {                                                                                              \
        hrlp_host_arm(channel, due);                                                               \
    }                                                                                              \
    static void disarm##channel(void)                                                              \
    {                                                                                              \
        hrlp_host_disarm(channel);                                                                 \
    }                                                                                              \
    static const struct hrlp_cell cell##channel = {start_periodic##channel, arm##channel,          \
                                                   disarm##channel};                               \
    void host_cell##channel(void)                                                                  \
    {                                                                                              \
        hrlp_host_acknowledge(channel);                                                            \
        if (channel == 0 && sut_cell_handler != NULL) {                                            \
            sut_cell_handler();                                                                    \
        } else if (!sut_bare_cells) {                                                              \
            sut_interrupt(channel);                                                                \
        }                                                                                          \
    }
CELL(0)
CELL(1)
CELL(2)

/* The last cell's handler may be the test's own. */
static void (*own_handler)(void);

static void interrupt3(void)
{
    void (*handler)(void) = own_handler;

    if (handler == NULL) {
        sut_interrupt(3);
    } else {
        handler(); /* an application's: what it calls asks for the dispatch itself */
    }
}
#define sut_interrupt(channel) interrupt##channel()
CELL(3)
#undef sut_interrupt

const struct hrlp_cell *const sut_cells[SUT_RELEASERS] = {&cell0, &cell1, &cell2, &cell3};

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
