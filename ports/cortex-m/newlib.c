/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_heap.h"
#include <errno.h>
#include <hrl/console.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

/*
 * What newlib asks of a system: printf prints to the console, malloc takes of HRL_HEAP_DEFINE, assert ends the program as
 * a broken promise of the kernel's does. Nothing of it is linked unless it is used, and what the application defines
 * itself is its own. There are no files.
 */
#define FOR_NEWLIB __attribute__((weak))

enum { KILLED = 128 }; /* and the signal, as a shell says it */

int _write(int file, const char *text, int length);
void *_sbrk(ptrdiff_t more);
_Noreturn void _exit(int status);
_Noreturn void exit(int status);
int _read(int file, char *into, int length);
int _close(int file);
int _fstat(int file, struct stat *about);
int _isatty(int file);
int _lseek(int file, int by, int from);
int _kill(int process, int signal);
int _getpid(void);
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *what);

FOR_NEWLIB int _write(int file, const char *text, int length)
{
    (void)file;
    hrl_console_write(text, (size_t)length);
    return length;
}

FOR_NEWLIB void *_sbrk(ptrdiff_t more)
{
    void *taken = hrlp_heap_take(more);

    if (taken == NULL) {
        errno = ENOMEM;
        return (void *)-1; /* NOLINT(performance-no-int-to-ptr): as newlib wants it */
    }
    return taken;
}

FOR_NEWLIB _Noreturn void _exit(int status)
{
    hrl_program_end(status);
}

/*
 * In place of newlib's, which would have destructors run as well: that takes a constructor, and _fini. What printf
 * keeps is printed first, if printf is linked.
 */
#pragma weak fflush

FOR_NEWLIB _Noreturn void exit(int status)
{
    if (fflush != NULL) {
        (void)fflush(NULL);
    }
    _exit(status);
}

FOR_NEWLIB int _read(int file, char *into, int length)
{
    (void)file;
    (void)into;
    (void)length;
    return 0; /* the end of the input */
}

FOR_NEWLIB int _close(int file)
{
    (void)file;
    return -1;
}

FOR_NEWLIB int _fstat(int file, struct stat *about)
{
    (void)file;
    about->st_mode = S_IFCHR;
    return 0;
}

FOR_NEWLIB int _isatty(int file)
{
    (void)file;
    return 1;
}

FOR_NEWLIB int _lseek(int file, int by, int from)
{
    (void)file;
    (void)by;
    (void)from;
    return 0;
}

FOR_NEWLIB int _kill(int process, int signal)
{
    (void)process;
    hrl_program_end(KILLED + signal);
}

FOR_NEWLIB int _getpid(void)
{
    return 1;
}

FOR_NEWLIB _Noreturn void __assert_func(const char *file, int line, const char *function,
                                        const char *what)
{
    (void)function;
    hrl_assert_hook(what, file, line);
}
