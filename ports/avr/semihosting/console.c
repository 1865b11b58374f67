/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"

/*
 * Console and exit of the simulated chip (simavr/): two addresses of the extended I/O space at which the chips
 * have nothing. A byte that is written to the first is printed; one to the second ends the run with that status.
 */
#define CONSOLE (*(volatile uint8_t *)0xE0)
#define EXIT (*(volatile uint8_t *)0xE1)

void hrlp_cpu_print(const char *text)
{
    for (; *text != '\0'; text++) {
        CONSOLE = (uint8_t)*text;
    }
}

void hrlp_avr_print_flash(HRLP_CONST char *text)
{
    for (; *text != '\0'; text++) {
        CONSOLE = (uint8_t)*text;
    }
}

_Noreturn void hrlp_cpu_halt(int status)
{
    __asm__ volatile("cli" : : : "memory");
    EXIT = (uint8_t)status;
    for (;;) {
    }
}
