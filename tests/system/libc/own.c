/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/console.h>
#include <stdio.h>

int _write(int file, const char *text, int length);
void step(void);

/* The application's own, in place of the port's. */
int _write(int file, const char *text, int length)
{
    (void)file;
    hrl_console_print("own: ");
    hrl_console_write(text, (size_t)length);
    return length;
}

void step(void)
{
    puts("text");
    hrl_program_end(0);
}
