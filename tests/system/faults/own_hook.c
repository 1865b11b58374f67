/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "provoke.h"
#include <hrl/hooks.h>
#include <hrl/interrupt.h>
#include <hrl/kernel.h>
#include <hrl/thread.h>
#include <stddef.h>

/*
 * An application with its own end. It attaches no handler, so that the port's vectors lead to its fault handler.
 */

void hrlp_cpu_print(const char *text); /* the port's, for want of a console */
_Noreturn void hrlp_cpu_halt(int status);

_Noreturn void hrl_fault_hook(const struct hrl_fault *fault)
{
    hrlp_cpu_print("mine: ");
    hrlp_cpu_print(fault->thread);
    hrlp_cpu_print(": ");
    hrlp_cpu_print(fault->reason);
    hrlp_cpu_print(fault->file == NULL && fault->line == 0 ? "\n" : ", broken\n");
    hrlp_cpu_halt(fault->interrupt == (int32_t)free_line ? 42 : 43);
}

static void run(void *argument)
{
    (void)argument;
    if (provoked == 0) {
        (void)hrl_interrupt_enable(free_line, HRL_INTERRUPT_KERNEL);
        raise_free_line();
    } else {
        hrl_thread_start(hrl_thread_current());
    }
    for (;;) {
    }
}

HRL_THREAD_DEFINE(worker, run, NULL, 2, 512);

int main(void)
{
    hrl_thread_start(&worker);
    hrl_start();
}
