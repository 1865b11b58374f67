/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "attack.h"

enum { SYS_EXIT = 0x18, ADP_STOPPED_APPLICATION_EXIT = 0x20026 };

extern char stack_top[];

void reset(void)
{
    attack_files();
    attack_command();
    semihosting(SYS_EXIT, (const void *)ADP_STOPPED_APPLICATION_EXIT);
    for (;;) {
    }
}

__attribute__((section(".vectors"))) const void *const vectors[] = {stack_top, (const void *)reset};
