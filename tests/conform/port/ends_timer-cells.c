/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include "hrlp_timer_cells.h"
#include "hrlp_upcalls.h"

/* A cell whose handler ends with the switch. The suite's table of cells does not have it. */
enum { CHANNEL = 2 };
static volatile unsigned ended, general;
static void (*volatile on_interrupt)(void);

struct hrlp_cpu_end hrl_conform_general(void *interrupted);
struct hrlp_cpu_end hrl_conform_general(void *interrupted)
{
    general++;
    return (struct hrlp_cpu_end){NULL, interrupted};
}

HRLP_CPU_ENDING_HANDLER(Cell_Handler2, hrl_conform_general);
struct hrlp_cpu_end Cell_Handler2(void *interrupted);
struct hrlp_cpu_end Cell_Handler2(void *interrupted)
{
    void *saved = hrlp_cpu_saved(interrupted);

    ended++;
    if (on_interrupt == NULL) {
        return (struct hrlp_cpu_end){NULL, interrupted};
    }
    on_interrupt();
    return (struct hrlp_cpu_end){hrli_cpu_switch(saved), saved};
}

static void arm(hrl_stamp due)
{
    hrlp_timer_cells_arm(CHANNEL, due);
}

static void arm_soon(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    arm(hrlp_clock_read() + 100);
    hrlp_irq_unlock(state);
}

static void want_first(void)
{
    conform_want(CONFORM_FIRST);
}

/* As a line's handler, which the cell interrupts. */
static void wait_for_interrupt(void)
{
    unsigned before = ended + general;
    hrl_stamp start = hrlp_clock_read();

    arm_soon();
    while (ended + general == before && hrlp_clock_read() - start < 1000) {
    }
}

void conform_test_ends(void)
{
    unsigned before = conform_switches();

    hrlp_timer_cells_prepare(CHANNEL, HRL_INTERRUPT_KERNEL);
    arm_soon();
    conform_wait(1000);
    conform_check("end", "a handler that chooses no thread goes back",
                  ended == 1 && conform_switches() == before);
    on_interrupt = want_first;
    conform_take_turns();
    arm_soon();
    conform_wait(1000);
    conform_check("end", "a handler that chooses a thread is followed by it",
                  ended == 2 && general == 0 && conform_turns() == 1 &&
                      conform_switches() == before + 2);
    conform_check("end", "ends the interrupt, too", !hrlp_cpu_in_interrupt());
    conform_in_line(wait_for_interrupt);
    conform_check("end", "in a handler the general function is called",
                  ended == 2 && general == 1 && conform_switches() == before + 2);
    conform_check_registers("end", arm, false, &on_interrupt);
    hrlp_timer_cells_disarm(CHANNEL);
}
