/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

static void err(void *argument);
HRL_THREAD_DEFINE(culprit, err, NULL, 2, 1024);

static void nothing(void *argument)
{
    (void)argument;
}

/* One line has a handler, the other one interrupts. */
static void err(void *argument)
{
    (void)argument;
    hrl_interrupt_attach(LINE_A, nothing, NULL);
    (void)hrl_interrupt_enable(LINE_B, 2);
    raise_b();
    hrlp_cpu_print("it went on\n");
    hrlp_cpu_halt(0);
}

int main(void)
{
    hrl_thread_start(&culprit);
    hrl_start();
    return 1;
}
