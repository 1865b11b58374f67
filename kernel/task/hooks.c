/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include <hrl/hooks.h>

__attribute__((weak)) void hrl_overrun_hook(struct hrl_thread *thread, hrl_stamp due)
{
    (void)thread;
    (void)due;
}

__attribute__((weak)) _Noreturn void hrl_assert_hook(const char *reason, const char *file, int line)
{
    (void)line;
    hrlp_cpu_print("assertion failed: ");
    hrlp_cpu_print(reason);
    hrlp_cpu_print(" in ");
    hrlp_cpu_print(file);
    hrlp_cpu_print("\n");
    hrlp_cpu_halt(1);
}
