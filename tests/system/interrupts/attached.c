/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

/* What handlers, a thread that they wake, and the one that they interrupt do: a line for each case, in order. */
static void serve(void *argument);
static void conduct(void *argument);
HRL_THREAD_DEFINE(server, serve, NULL, 5, 512);
HRL_THREAD_DEFINE(conductor, conduct, NULL, 2, 1024);
HRL_SEMAPHORE_DEFINE(wanted, 0, 9);

static char notes[200];

static void note(const char *word)
{
    (void)strcat(strcat(notes, " "), word);
}

static void tell(const char *about)
{
    hrlp_cpu_print(about);
    hrlp_cpu_print(notes);
    hrlp_cpu_print("\n");
    notes[0] = '\0';
}

static void serve(void *argument)
{
    (void)argument;
    for (;;) {
        (void)hrl_semaphore_take(&wanted, HRL_FOREVER);
        note("server");
    }
}

static void on_a(void *argument)
{
    silence(LINE_A);
    note(argument);
    note("a-end");
}

static void give_on_a(void *argument)
{
    silence(LINE_A);
    note(argument);
    (void)hrl_semaphore_give(&wanted);
    note("a-end");
}

static void on_b(void *argument)
{
    silence(LINE_B);
    note(argument);
    note("b-end");
}

static void raise_b_on_a(void *argument)
{
    silence(LINE_A);
    note(argument);
    raise_b();
    note("a-end");
}

static void attach(uint32_t line, void (*handler)(void *), uint32_t priority)
{
    hrl_interrupt_detach(line);
    hrl_interrupt_attach(line, handler, line == LINE_A ? "a" : "b");
    if (hrl_interrupt_enable(line, priority) == HRL_UNSUPPORTED) {
        note("unsupported");
    }
}

static void raise_locked(void)
{
    hrl_interrupt_state outer = hrl_interrupt_lock(), inner = hrl_interrupt_lock();

    raise_a();
    raise_b();
    note("locked");
    hrl_interrupt_unlock(inner);
    note("inner");
    hrl_interrupt_unlock(outer);
}

static void conduct(void *argument)
{
    (void)argument;
    attach(LINE_A, give_on_a, HRL_INTERRUPT_LOWEST);
    raise_a();
    tell("wakes:");
    attach(LINE_B, on_b, HRL_INTERRUPT_LOWEST);
    raise_locked();
    tell("locked:");
    attach(LINE_B, on_b, HRL_INTERRUPT_KERNEL);
    raise_locked();
    tell("order:");
    attach(LINE_A, raise_b_on_a, HRL_INTERRUPT_LOWEST);
    raise_a();
    tell("nested:");
    attach(LINE_A, on_a, HRL_INTERRUPT_HIGHEST);
    raise_locked();
    silence(LINE_A);
    tell("above:");
    attach(LINE_A, on_a, HRL_INTERRUPT_KERNEL);
    hrl_interrupt_disable(LINE_A);
    raise_a();
    note("disabled");
    (void)hrl_interrupt_enable(LINE_A, 2);
    tell("enabled:");
    hrl_interrupt_detach(LINE_A);
    hrl_interrupt_attach(LINE_A, on_a, "anew");
    (void)hrl_interrupt_enable(LINE_A, 2);
    raise_a();
    tell("detached:");
    hrlp_cpu_halt(0);
}

int main(void)
{
    hrl_thread_start(&server);
    hrl_thread_start(&conductor);
    hrl_start();
    return 1;
}
