/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_fault.h"
#include "hrlp_host_machine.h"
#include "hrlp_irq.h"

/* A debugger and the sanitizers know more of this machine's registers than a report could say. */
const char hrlp_fault_names[] = "";
uint32_t hrlp_fault_registers[1];

__attribute__((weak)) _Noreturn void hrl_assert_hook(const char *reason, const char *file, int line)
{
    hrlp_fault_stop(reason, file, line, hrlp_cpu_in_interrupt());
}

void hrlp_irq_unhandled(int line)
{
    hrlp_host_fatal("no handler for interrupt line", (unsigned)line);
}
