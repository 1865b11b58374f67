/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_heap.h"
#include <hrl/console.h>
#include <stddef.h>
#include <stdio.h>

/*
 * What picolibc asks of a system: printf prints to the console, malloc takes of HRL_HEAP_DEFINE, assert ends the program as
 * a broken promise of the kernel's does. Nothing of it is linked unless it is used, and what the application defines
 * itself is its own. There are no files.
 */
#define FOR_PICOLIBC __attribute__((weak))

void *sbrk(ptrdiff_t more);
_Noreturn void _exit(int status);
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *what);

static int put(char character, FILE *file)
{
    (void)file;
    hrl_console_put(character);
    return (unsigned char)character;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FOR_PICOLIBC FILE *const stdin = &console;
FOR_PICOLIBC FILE *const stdout = &console;
FOR_PICOLIBC FILE *const stderr = &console;

FOR_PICOLIBC void *sbrk(ptrdiff_t more)
{
    void *taken = hrlp_heap_take(more);

    if (taken == NULL) {
        /* The errno by which malloc would say it is thread-local there, and threads have no such memory. */
        hrl_assert_hook("malloc: no room in HRL_HEAP_DEFINE", __FILE__, __LINE__);
    }
    return taken;
}

FOR_PICOLIBC _Noreturn void _exit(int status)
{
    hrl_program_end(status);
}

FOR_PICOLIBC _Noreturn void __assert_func(const char *file, int line, const char *function,
                                          const char *what)
{
    (void)function;
    hrl_assert_hook(what, file, line);
}
