/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

/* A handler defined under the port's name for its line wakes a thread, too; then nothing can be attached. */
static void serve(void *argument);
static void conduct(void *argument);
HRL_THREAD_DEFINE(server, serve, NULL, 5, 512);
HRL_THREAD_DEFINE(conductor, conduct, NULL, 2, 1024);
HRL_SEMAPHORE_DEFINE(wanted, 0, 9);

void UARTRX4_Handler(void);
void UARTRX4_Handler(void)
{
    (void)hrl_semaphore_give(&wanted);
}

static void serve(void *argument)
{
    (void)argument;
    (void)hrl_semaphore_take(&wanted, HRL_FOREVER);
    hrlp_cpu_print("served\n");
}

static void conduct(void *argument)
{
    (void)argument;
    (void)hrl_interrupt_enable(LINE_A, 2);
    raise_a();
    hrlp_cpu_print("raised\n");
    hrl_interrupt_attach(LINE_A, serve, NULL);
    hrlp_cpu_halt(0);
}

int main(void)
{
    hrl_thread_start(&server);
    hrl_thread_start(&conductor);
    hrl_start();
    return 1;
}
