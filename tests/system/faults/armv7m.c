/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "provoke.h"
#include <hrl/interrupt.h>

const uint32_t free_line = 20;

void raise_free_line(void)
{
    (void)hrl_interrupt_raise(free_line);
}

#define KNOWN_REGISTERS                                                                            \
    "movw r4, #4\n\tmovt r4, #0x1111\n\t"                                                          \
    "add r5, r4, #1\n\tadd r6, r4, #2\n\tadd r7, r4, #3\n\tadd r8, r4, #4\n\t"                     \
    "add r9, r4, #5\n\tadd r10, r4, #6\n\tadd r11, r4, #7\n\t"

__attribute__((naked)) void execute_nothing_defined(void)
{
    __asm__ volatile(KNOWN_REGISTERS "udf #0");
}

static const char reason[] __attribute__((used)) = "a promise";
static const char file[] __attribute__((used)) = "file";

__attribute__((naked)) void break_a_promise(void)
{
    __asm__ volatile(KNOWN_REGISTERS "ldr r0, =reason\n\t"
                                     "ldr r1, =file\n\t"
                                     "movs r2, #77\n\t"
                                     "bl hrl_assert_hook\n\t"
                                     ".ltorg");
}

__attribute__((naked)) void with_stack_at(uintptr_t stack_pointer, void (*go_on)(void))
{
    __asm__ volatile("mov sp, r0\n\t"
                     "bx r1");
}
