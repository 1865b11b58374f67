/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include <stdint.h>

/*
 * Console and exit through semihosting, the emulator's service of BKPT 0xAB (operation in r0,
 * argument in r1).
 */
enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, ADP_STOPPED_APPLICATION_EXIT = 0x20026 };

static void semihosting_call(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void hrlp_cpu_print(const char *text)
{
    semihosting_call(SYS_WRITE0, text);
}

_Noreturn void hrlp_cpu_halt(int status)
{
    const uint32_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, (uint32_t)status};

    semihosting_call(SYS_EXIT_EXTENDED, block);
    for (;;) {
    }
}
