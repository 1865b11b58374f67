/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

static void err(void *argument);
HRL_THREAD_DEFINE(culprit, err, NULL, 2, 1024);

/* A line is let through in a program that attaches nothing. */
static void err(void *argument)
{
    (void)argument;
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
