/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "provoke.h"

const uint32_t free_line = 10; /* the UART's */

/* Its transmitter is empty, and may say so. */
void raise_free_line(void)
{
    *(volatile uint8_t *)0x10000001u = 2;
}

#define KNOWN_REGISTERS                                                                            \
    "li s0, 0x11110008\n\tli s1, 0x11110009\n\tli s2, 0x11110012\n\tli s3, 0x11110013\n\t"         \
    "li s4, 0x11110014\n\tli s5, 0x11110015\n\tli s6, 0x11110016\n\tli s7, 0x11110017\n\t"         \
    "li s8, 0x11110018\n\tli s9, 0x11110019\n\tli s10, 0x1111001a\n\tli s11, 0x1111001b\n\t"

__attribute__((naked)) void execute_nothing_defined(void)
{
    __asm__ volatile(KNOWN_REGISTERS "unimp");
}

static const char reason[] __attribute__((used)) = "a promise";
static const char file[] __attribute__((used)) = "file";

__attribute__((naked)) void break_a_promise(void)
{
    __asm__ volatile(KNOWN_REGISTERS "la a0, reason\n\t"
                                     "la a1, file\n\t"
                                     "li a2, 77\n\t"
                                     "call hrl_assert_hook");
}

__attribute__((naked)) void with_stack_at(uintptr_t stack_pointer, void (*go_on)(void))
{
    __asm__ volatile("mv sp, a0\n\t"
                     "jr a1");
}
