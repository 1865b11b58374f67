/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include <hrl/console.h>

/*
 * Console and exit of applications, by what each port has for its own report. Linked beside any kernel, so that bodies
 * print alike on both sides of a comparison.
 */
enum { AT_ONCE = 16 };

__attribute__((weak)) void hrl_console_write(const char *text, size_t length)
{
    char part[AT_ONCE + 1];

    while (length != 0) {
        size_t count = 0;

        for (; length != 0 && count < AT_ONCE; text++, length--) {
            if (*text != '\0') {
                part[count++] = *text;
            }
        }
        part[count] = '\0';
        hrlp_cpu_print(part);
    }
}

void hrl_console_print(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0') {
        length++;
    }
    hrl_console_write(text, length);
}

void hrl_console_put(char character)
{
    hrl_console_write(&character, 1);
}

_Noreturn void hrl_program_end(int status)
{
    hrlp_cpu_halt(status);
}
