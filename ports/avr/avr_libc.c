/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/console.h>

/*
 * How exit and abort end the program. libgcc's exit would run from section .fini9 to .fini0, which link.ld does not put
 * in that order. Not linked unless it is used; what the application defines itself is its own.
 */
#define FOR_AVR_LIBC __attribute__((weak))

_Noreturn void _exit(int status);
_Noreturn void exit(int status);

FOR_AVR_LIBC _Noreturn void _exit(int status)
{
    hrl_program_end(status);
}

FOR_AVR_LIBC _Noreturn void exit(int status)
{
    _exit(status);
}
