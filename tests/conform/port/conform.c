/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_clock.h"
#include "hrlp_cores.h"
#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"
#include <hrl/console.h>
#include <hrl/kernel.h>

static uint64_t stacks[CONFORM_THREADS][CONFORM_STACK_BYTES / 8];
static void *saved[CONFORM_THREADS];
static volatile unsigned running = CONFORM_IDLE, wanted;
static volatile unsigned switches, wraps;
static volatile unsigned yields;
static unsigned passed, failed;

__attribute__((weak)) const bool conform_stacks_are_used = true;

__attribute__((weak)) void conform_prepare_machine(void) {}

__attribute__((weak)) void conform_test_fpu(void) {}

__attribute__((weak)) void conform_test_ends(void) {}

void *hrli_cpu_switch(void *saved_stack_pointer)
{
    saved[running] = saved_stack_pointer;
    running = wanted;
    switches++;
    return saved[running];
}

void *hrli_cpu_yield(void *saved_stack_pointer)
{
    yields++;
    return hrli_cpu_switch(saved_stack_pointer);
}

void hrli_clock_wrapped(void)
{
    wraps += hrlp_core_number() == CONFORM_CORE; /* the others are told of it, too */
}

static HRLP_CONST char *const names[] = {HRLI_TEXT("idle"), HRLI_TEXT("conductor"),
                                         HRLI_TEXT("first"), HRLI_TEXT("second")};

HRLP_CONST char *hrli_cpu_current_name(void)
{
    return names[running];
}

static void print_number(unsigned number)
{
    char text[12];
    char *digit = &text[sizeof text - 1];

    *digit = '\0';
    do {
        *--digit = (char)('0' + number % 10u);
        number /= 10u;
    } while (number != 0);
    hrlp_cpu_print(digit);
}

void conform_note(const char *subject, const char *what, bool holds)
{
    passed += holds;
    failed += !holds;
    hrl_console_print(holds ? "PASS " : "FAIL ");
    hrl_console_print(subject);
    hrl_console_put(':');
    hrl_console_put(' ');
    hrlp_cpu_print_text(what);
    hrlp_cpu_print("\n");
}

void conform_switch_to(unsigned thread)
{
    wanted = thread;
    hrlp_cpu_request_switch();
}

void conform_thread(unsigned thread, void (*entry)(void *), void *argument)
{
    saved[thread] = hrlp_cpu_stack_prepare(stacks[thread], CONFORM_STACK_BYTES, entry, argument);
}

void conform_call(unsigned thread, void (*body)(void), void (*next)(void))
{
    saved[thread] = hrlp_cpu_stack_prepare_call(stacks[thread], CONFORM_STACK_BYTES, body, next);
}

void *conform_stack(unsigned thread)
{
    return stacks[thread];
}

void *conform_saved(unsigned thread)
{
    return saved[thread];
}

unsigned conform_switches(void)
{
    return switches;
}

unsigned conform_yields(void)
{
    return yields;
}

void conform_want(unsigned thread)
{
    wanted = thread;
}

unsigned conform_wraps(void)
{
    return wraps;
}

void conform_wait(uint32_t counts)
{
    hrl_stamp start = hrlp_clock_read();

    while (hrlp_clock_read() - start < counts) {
    }
}

void conform_cell_interrupt(unsigned index)
{
    struct conform_cell *cell = &conform_cells[index];

    if (cell->fired < CONFORM_INSTANTS) {
        cell->at[cell->fired] = hrlp_clock_read();
    }
    cell->fired++;
    if (cell->on_interrupt != NULL) {
        cell->on_interrupt();
    }
}

void conform_cell_reset(struct conform_cell *cell)
{
    cell->fired = 0;
    cell->on_interrupt = NULL;
}

void conform_cell_arm(struct conform_cell *cell, hrl_stamp due)
{
    hrlp_irq_state state = hrlp_irq_lock();

    cell->calls.arm(due);
    hrlp_irq_unlock(state);
}

void conform_cell_disarm(struct conform_cell *cell)
{
    hrlp_irq_state state = hrlp_irq_lock();

    cell->calls.disarm();
    hrlp_irq_unlock(state);
}

static void conduct(void *argument)
{
    (void)argument;
    conform_check("start", "a switch asked for before the idle thread is made by it",
                  switches == 1 && running == CONFORM_CONDUCTOR);
    conform_test_bits();
    conform_test_clock();
    conform_test_switch();
    conform_test_leave();
    conform_test_lock();
    conform_test_lines();
    conform_test_cells();
    conform_test_ends();
    conform_test_wrap();
    conform_test_fpu();
    conform_test_periodic();
    conform_test_slices();
    hrlp_cpu_print("conformance: ");
    print_number(passed);
    hrlp_cpu_print(" passed, ");
    print_number(failed);
    hrlp_cpu_print(" failed\n");
    hrl_program_end(failed == 0 ? 0 : 1);
}

static _Noreturn void run(void)
{
    for (unsigned i = 0; i < conform_cell_count; i++) {
        conform_cells[i].prepare();
    }
    conform_thread(CONFORM_CONDUCTOR, conduct, NULL);
    conform_switch_to(CONFORM_CONDUCTOR);
    hrlp_cpu_become_idle(stacks[CONFORM_IDLE], CONFORM_STACK_BYTES);
}

/* Of the cores that are started one runs the suite, and the others are idle. */
static _Noreturn void begin(void)
{
    static uint64_t idle_stacks[HRL_CORES][CONFORM_STACK_BYTES / 8];

    (void)hrlp_irq_lock();
    hrlp_core_answer();
    hrlp_cores_meet();
    if (hrlp_core_number() == 0) {
        hrlp_clock_start();
    }
    hrlp_cores_meet();
    if (hrlp_core_number() == CONFORM_CORE) {
        run();
    }
    hrlp_cpu_become_idle(idle_stacks[hrlp_core_number()], CONFORM_STACK_BYTES);
}

int main(void)
{
    conform_prepare_machine();
    hrlp_cores_start();
    begin();
}

#if HRL_CORES > 1 /* as then the others begin here, and answer */
void hrl_start(void)
{
    begin();
}

void hrli_core_rung(void) {}

struct hrlp_cpu_end hrli_core_rung_in_handler(void *interrupted)
{
    return (struct hrlp_cpu_end){NULL, interrupted};
}

struct hrlp_cpu_end hrli_core_rung_in_thread(void *interrupted)
{
    return hrli_core_rung_in_handler(interrupted);
}
#endif
