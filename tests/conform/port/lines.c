/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"

/*
 * The interrupt controller's lines: priorities, lock, and which line interrupts which. In the order of what
 * happened each handler leaves a digit when it begins, 1 or 2, and one when it ends, 3 or 4.
 */
enum { SOON = 200, A = 0, B = 1 };

static volatile unsigned taken[2], order, elsewhere, switched_inside;
static volatile bool was_interrupt;
static void (*volatile on_line[2])(void);

static void raise_by_software(unsigned i)
{
    hrlp_irq_raise(conform_lines[i].line);
}

static void nothing(unsigned i)
{
    (void)i;
}

/* Where software can raise lines: the last two; with several cores those before the last one, as that may be theirs. */
#ifndef CONFORM_MOST_LINES /* fewer than the chip has, where its simulator does */
#define CONFORM_MOST_LINES HRLP_IRQ_LINES
#endif
#define CONFORM_LINES (HRLP_IRQ_LINES < CONFORM_MOST_LINES ? HRLP_IRQ_LINES : CONFORM_MOST_LINES)
enum { LAST = CONFORM_LINES - 1 - (HRL_CORES > 1) };
__attribute__((weak)) const struct conform_line conform_lines[2] = {
    {LAST - 1, raise_by_software, nothing},
    {LAST, raise_by_software, nothing},
};

void hrli_interrupt_taken(int number)
{
    int line = number - HRLP_IRQ_FIRST_LINE;
    unsigned i = line == conform_lines[A].line ? A : B;

    elsewhere += line != conform_lines[i].line;
    conform_lines[i].quiet(i);
    taken[i]++;
    was_interrupt = hrlp_cpu_in_interrupt();
    order = order * 10u + 1u + i;
    if (on_line[i] != NULL) {
        on_line[i]();
    }
    order = order * 10u + 3u + i;
}

static void begin(unsigned a, unsigned b)
{
    taken[A] = taken[B] = order = 0;
    on_line[A] = on_line[B] = NULL;
    hrlp_irq_enable_at(conform_lines[A].line, a);
    hrlp_irq_enable_at(conform_lines[B].line, b);
}

static void raise(unsigned i)
{
    conform_lines[i].raise(i);
    conform_wait(SOON);
}

static void check_taken(void)
{
    conform_check("line", "goes to the kernel if no handler is defined",
                  hrlp_irq_is_free(conform_lines[A].line) &&
                      hrlp_irq_is_free(conform_lines[B].line));
    begin(1, 1);
    raise(A);
    conform_check("line", "enabled and raised, comes once", taken[A] == 1 && taken[B] == 0);
    conform_check("line", "its handler is an interrupt, and its end ends it",
                  was_interrupt && !hrlp_cpu_in_interrupt());
    raise(B);
    raise(A);
    conform_check("line", "comes again, each with its number",
                  taken[A] == 2 && taken[B] == 1 && elsewhere == 0);
}

void conform_in_line(void (*function)(void))
{
    begin(1, 1);
    on_line[A] = function;
    raise(A);
    on_line[A] = NULL;
    hrlp_irq_disable(conform_lines[A].line);
    hrlp_irq_disable(conform_lines[B].line);
}

static void disable_a(void)
{
    hrlp_irq_disable(conform_lines[A].line);
}

static void check_disabled(void)
{
    begin(2, 2);
    disable_a();
    raise(A);
    raise(B);
    conform_check("line", "disabled, stays out, and others do not", taken[A] == 0 && taken[B] == 1);
    hrlp_irq_enable_at(conform_lines[A].line, 2);
    conform_wait(SOON);
    conform_check("line", "comes when it is enabled", taken[A] == 1);
    on_line[A] = disable_a;
    raise(A);
    on_line[A] = NULL;
    raise(A);
    conform_check("line", "disabled by its own handler, stays out", taken[A] == 2);
    hrlp_irq_enable_at(conform_lines[A].line, 2);
    conform_wait(SOON);
    raise(A);
    conform_check("line", "and comes again, enabled", taken[A] == 4);
}

static void check_locked(void)
{
    bool kept_out = true, came = true;

    for (unsigned priority = 1; priority <= HRL_INTERRUPT_KERNEL; priority++) {
        hrlp_irq_state state = hrlp_irq_lock();

        begin(priority, priority);
        raise(A);
        kept_out = kept_out && taken[A] == 0;
        hrlp_irq_unlock(state);
        conform_wait(SOON);
        came = came && taken[A] == 1;
    }
    conform_check("line", "the lock keeps it out, whatever its priority", kept_out);
    conform_check("line", "and it comes at the end", came);
    if (HRLP_IRQ_CAN_RAISE) {
        hrlp_irq_state state = hrlp_irq_lock();

        raise(A);
        hrlp_irq_clear(conform_lines[A].line);
        hrlp_irq_unlock(state);
        conform_wait(SOON);
        conform_check("line", "cleared, is forgotten", taken[A] == 1);
    }
}

/* The order in which two come that were raised under the lock. */
static unsigned order_of(unsigned a, unsigned b, unsigned first)
{
    hrlp_irq_state state = hrlp_irq_lock();

    begin(a, b);
    raise(first);
    raise(1u - first);
    hrlp_irq_unlock(state);
    conform_wait(SOON);
    return order;
}

static void raise_a(void)
{
    raise(A);
}

static void raise_b(void)
{
    raise(B);
}

static void check_order(void)
{
    conform_check("line",
                  "of those that are pending the most urgent one comes first, or the lowest",
                  order_of(1, 2, A) == (HRLP_IRQ_ORDERS ? 2413u : 1324u) &&
                      order_of(1, 3, B) == (HRLP_IRQ_ORDERS ? 2413u : 1324u) &&
                      order_of(3, 2, A) == 1324 && order_of(2, 1, B) == 1324);
    begin(1, 3);
    on_line[A] = raise_b;
    raise(A);
    conform_check("line",
                  "a more urgent one interrupts a handler where there are levels, or follows",
                  order == (HRLP_IRQ_NESTS ? 1243u : 1324u));
    begin(1, 3);
    on_line[B] = raise_a;
    raise(B);
    conform_check("line", "a less urgent one waits for the handler's end", order == 2413);
    begin(2, 2);
    on_line[B] = raise_a;
    raise(B);
    conform_check("line", "so does an equally urgent one", order == 2413);
}

/* At the dispatch's priority: locked out, and interrupted by all others. */
static void check_lowest(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    begin(1, 1);
    hrlp_irq_enable_at(conform_lines[A].line, HRLP_IRQ_OF_DISPATCH);
    raise(A);
    conform_check("line", "of the lowest priority, is kept out by the lock", taken[A] == 0);
    hrlp_irq_unlock(state);
    conform_wait(SOON);
    conform_check("line", "of the lowest priority, comes at its end", taken[A] == 1);
    order = 0;
    on_line[A] = raise_b;
    raise(A);
    conform_check("line", "of the lowest priority, is interrupted by the next",
                  order == (HRLP_IRQ_NESTS ? 1243u : 1324u));
    on_line[A] = NULL;
    on_line[B] = raise_a;
    order = 0;
    raise(B);
    conform_check("line", "of the lowest priority, waits for the next", order == 2413);
}

static unsigned turns;

static void take_turns(void *argument)
{
    (void)argument;
    for (;;) {
        turns++;
        conform_switch_to(CONFORM_CONDUCTOR);
    }
}

static void ask_for_switch(void)
{
    conform_switch_to(CONFORM_FIRST);
}

/* The handler that asks ends in the middle of another where there are levels. */
static void ask_in_the_middle(void)
{
    unsigned before = conform_switches();

    raise(B);
    switched_inside = conform_switches() - before;
}

static void check_switch(bool lowest)
{
    turns = 0;
    conform_thread(CONFORM_FIRST, take_turns, NULL);
    begin(1, 2);
    if (lowest) {
        hrlp_irq_enable_at(conform_lines[A].line, HRLP_IRQ_OF_DISPATCH);
    }
    on_line[A] = ask_in_the_middle;
    on_line[B] = ask_for_switch;
    raise(A);
    conform_check("line", "a switch that its handler asks for waits for the last handler's end",
                  switched_inside == 0);
    conform_check("line", "and is made then, once", turns == 1 && taken[A] == 1 && taken[B] == 1);
}

/* Kernel-aware B stays out of the lock, A above the kernel does not. */
static void check_above(unsigned priority)
{
    hrlp_irq_state state = hrlp_irq_lock();

    begin(priority, HRL_INTERRUPT_KERNEL);
    raise(B);
    raise(A);
    conform_check("line", "above the kernel comes in spite of the lock", order == 13);
    hrlp_irq_unlock(state);
    conform_wait(SOON);
    conform_check("line", "what may call the kernel comes after it", order == 1324);
    begin(priority, HRL_INTERRUPT_KERNEL);
    on_line[B] = raise_a;
    raise(B);
    conform_check("line", "above the kernel interrupts the kernel's handlers", order == 2134);
}

void conform_test_lines(void)
{
    check_taken();
    check_disabled();
    check_locked();
    check_order();
    check_lowest();
    check_switch(false);
    check_switch(true);
    for (unsigned priority = HRL_INTERRUPT_KERNEL + 1; priority <= HRLP_IRQ_HIGHEST; priority++) {
        check_above(priority);
    }
    hrlp_irq_disable(conform_lines[A].line);
    hrlp_irq_disable(conform_lines[B].line);
}
