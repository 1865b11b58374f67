/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HOROLOG_CORTEX_M_EXCEPTIONS_H
#define HOROLOG_CORTEX_M_EXCEPTIONS_H

/*
 * Which first instructions of handlers are entries of exceptions on a Cortex-M, and which of these are tail-chained:
 * entered with no instruction between the return of the handler before and them.
 *
 * An entry is known by the link register, which holds an EXC_RETURN then and in no call. A chain is known by three things: the
 * instruction before was one that may return, the processor was in handler mode there, and the handler begins with
 * the stack pointer that that handler had when it was entered, as nothing was taken from the stack. A handler that
 * preempts has one more frame. The plugins' interface of QEMU 7.2 reads no registers; QEMU itself does,
 * for its debugger, by a function that it exports to its modules, where it has modules.
 *
 * To be included by one source a plugin, which expects one processor.
 */
#include "horolog_plugin.h"

#include <dlfcn.h>

enum {
    CM_SP = 13,
    CM_LR = 14,
    CM_XPSR = 25, /* as QEMU's debugger numbers it */
    CM_NUMBERS = 512,
};

struct byte_array { /* glib's GByteArray */
    uint8_t *data;
    unsigned length;
};

static struct {
    int (*read)(void *cpu, struct byte_array *to, int number);
    struct byte_array *(*set_size)(struct byte_array *array, unsigned length);
    struct byte_array *buffer;
    void *cpu;

    uint32_t
        entered_with[CM_NUMBERS]; /* of each exception: the stack pointer at its latest entry */
    uint64_t returning_at;        /* the step of the latest instruction that may return */
    uint32_t returning_in;        /* the exception that was active there; 0: none */
} cm;

/* A function's address as dlsym() has it fits into a pointer to one: POSIX. */
static bool cm_find(const char *name, void *pointer, size_t size)
{
    void *found = dlsym(RTLD_DEFAULT, name);

    memcpy(pointer, &found, size);
    return found != NULL;
}

/* Returns whether registers can be read. Called with the first instruction, when there is a processor. */
static bool cm_begin(void)
{
    void *(*cpu_of)(int number);
    struct byte_array *(*new_array)(void);

    if (!cm_find("qemu_get_cpu", &cpu_of, sizeof cpu_of) ||
        !cm_find("g_byte_array_new", &new_array, sizeof new_array) ||
        !cm_find("g_byte_array_set_size", &cm.set_size, sizeof cm.set_size) ||
        !cm_find("arm_cpu_gdb_read_register", &cm.read, sizeof cm.read)) {
        return false;
    }
    cm.cpu = cpu_of(0);
    cm.buffer = new_array();
    return cm.cpu != NULL && cm.buffer != NULL;
}

static uint32_t cm_register(int number)
{
    uint32_t value = 0;

    cm.set_size(cm.buffer, 0);
    if (cm.read(cm.cpu, cm.buffer, number) == (int)sizeof value) {
        memcpy(&value, cm.buffer->data, sizeof value); /* both are little-endian */
    }
    return value;
}

static uint32_t cm_active(void)
{
    return cm_register(CM_XPSR) & (CM_NUMBERS - 1u);
}

/* An instruction that may return is about to be executed, `step` having been before it. */
static void cm_note_return(uint64_t step)
{
    cm.returning_in = cm_active();
    cm.returning_at = step;
}

/* Whether the first instruction of a handler is entered as an exception; and whether that is tail-chained. */
static bool cm_enters(uint64_t step, bool *chained)
{
    const uint32_t exc_return = 0xFFFFFF00u;
    uint32_t sp;

    if (cm_register(CM_LR) < exc_return) {
        return false;
    }
    sp = cm_register(CM_SP);
    *chained = cm.returning_in != 0 && step == cm.returning_at + 1 &&
               cm.entered_with[cm.returning_in] == sp;
    cm.entered_with[cm_active()] = sp;
    return true;
}

/*
 * Whether an instruction may load the program counter with an EXC_RETURN (Armv7-M Architecture Reference Manual, B1.5.8): bx,
 * pop, ldm, ldr. That it does not always do so does no harm.
 */
static bool cm_may_return(const void *data, size_t size)
{
    uint16_t first, second;

    memcpy(&first, data, sizeof first);
    if (size == sizeof first) {
        return (first & 0xFF87u) == 0x4700u || (first & 0xFF00u) == 0xBD00u; /* bx, pop */
    }
    memcpy(&second, (const char *)data + sizeof first, sizeof second);
    return ((first & 0xFE50u) == 0xE810u && (second & 0x8000u) != 0) ||     /* ldm ..., {..., pc} */
           ((first & 0xFF70u) == 0xF850u && (second & 0xF000u) == 0xF000u); /* ldr pc, [...] */
}

#endif
