/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ATTACK_H
#define ATTACK_H

#include <stdint.h>

/*
 * What firmware could do to the machine that emulates it: semihosting's calls for files and commands. FOLDER is
 * where. Each is reported on the console as it ended.
 */
enum { SYS_OPEN = 0x01, SYS_WRITE0 = 0x04, SYS_REMOVE = 0x0e, SYS_SYSTEM = 0x12 };
enum { FOR_READING = 0, FOR_WRITING = 4 };

static inline uint32_t semihosting(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static inline void on_path(uint32_t operation, const char *path, uint32_t mode, const char *done)
{
    uint32_t length = 0;
    while (path[length] != '\0') {
        length++;
    }
    const uint32_t open[3] = {(uint32_t)path, mode, length};
    const uint32_t other[2] = {(uint32_t)path, length};
    const uint32_t result = semihosting(operation, operation == SYS_OPEN ? open : other);
    if (result != UINT32_MAX) {
        semihosting(SYS_WRITE0, done);
    }
}

static inline void attack_files(void)
{
    on_path(SYS_OPEN, FOLDER "/made", FOR_WRITING, "made\n");
    on_path(SYS_OPEN, FOLDER "/secret", FOR_READING, "read\n");
    on_path(SYS_REMOVE, FOLDER "/gone", 0, "removed\n");
    semihosting(SYS_WRITE0, "attacked\n");
}

static inline void attack_command(void)
{
    on_path(SYS_SYSTEM, "echo ran > " FOLDER "/ran", 0, "commanded\n");
}

#endif
