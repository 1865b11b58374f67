/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_cpu.h"
#include "hrlp_irq.h"

/* Threads that leave with nothing to keep, where a port has a way of its own for that. */
static volatile unsigned bodies, turns, wrong;
static void *seen_local[2];

static bool is_unlocked(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrlp_irq_unlock(state);
    return state == HRLP_IRQ_UNLOCKED && !hrlp_cpu_in_interrupt();
}

static void body(void)
{
    int local = 0;

    seen_local[0] = &local;
    bodies++;
    wrong += !is_unlocked();
}

static void other_body(void)
{
    turns++;
    wrong += !is_unlocked();
}

static void leave_for_ever(void)
{
    volatile uint32_t kept = 1;
    int local = 0;
    void (*next)(void) = other_body;

    seen_local[1] = &local;
    for (uint32_t expected = 1;; expected += 3) {
        conform_want(CONFORM_CONDUCTOR);
        next = hrlp_cpu_leave(next);
        wrong += kept != expected || next != other_body;
        kept += 3;
        next();
    }
}

static bool on_stack(const void *address)
{
    const char *stack = conform_stack(CONFORM_FIRST);

    return (const char *)address >= stack && (const char *)address < stack + CONFORM_STACK_BYTES;
}

void conform_test_leave(void)
{
    unsigned before = conform_switches();

    if (!HRLP_CPU_LEAVES) {
        return;
    }
    conform_call(CONFORM_FIRST, body, leave_for_ever);
    conform_switch_to(CONFORM_FIRST);
    conform_check("leave", "a call that is prepared is made, and what follows it",
                  bodies == 1 && turns == 0 && conform_switches() == before + 2);
    conform_check("leave", "both run on the thread's stack, which is empty again",
                  on_stack(seen_local[0]) && on_stack(seen_local[1]));
    for (unsigned i = 0; i < 5; i++) {
        conform_switch_to(CONFORM_FIRST);
    }
    conform_check("leave", "comes back with what was to be kept, unmasked",
                  turns == 5 && bodies == 1 && wrong == 0);
    conform_check("leave", "is a switch like any other", conform_switches() == before + 12);
}
