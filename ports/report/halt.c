/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_fault.h"
#include "hrlp_irq.h"

/*
 * REPORT halt, in place of report.c and the ports' fault.c: whatever goes wrong, the program stops
 * with the status that it would have, and says nothing. Nothing is saved, and hrl_fault_hook is not
 * called, as there is nothing to tell.
 */
enum { PROMISE_BROKEN = 1, FAULT = 4 };

_Noreturn void hrlp_fault_handler(void)
{
    hrlp_cpu_halt(FAULT);
}

_Noreturn void hrlp_irq_unhandled(int line)
{
    (void)line;
    hrlp_cpu_halt(FAULT);
}

__attribute__((weak)) _Noreturn void hrl_assert_hook(const char *reason, const char *file, int line)
{
    (void)reason, (void)file, (void)line;
    hrlp_cpu_halt(PROMISE_BROKEN);
}
