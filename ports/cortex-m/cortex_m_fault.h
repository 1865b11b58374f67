/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORTEX_M_FAULT_H
#define HRLP_CORTEX_M_FAULT_H

#include "hrlp_fault.h"
#include <stdbool.h>
#include <stdint.h>

/*
 * The part of reports of faults that all Cortex-M share; for fault.c of each. Registers from CFSR on are Armv7-M's.
 */
enum { PC, SP, LR, R0, R12 = R0 + 12, XPSR, CFSR };
enum { NMI = 2, LAST_FAULT = 6, SVC = 11, PENDSV = 14, FIRST_LINE = 16 };

static uint32_t *const registers = hrlp_fault_registers;

static bool is_handler(uint32_t exception)
{
    return exception != 0 && exception != SVC && exception != PENDSV;
}

/*
 * What the hardware pushed: r0-r3, r12, lr, pc, xPSR; with `has_fpu` 18 more; a word if that aligns
 * it.
 */
static void take_frame(const uint32_t *frame, bool has_fpu)
{
    static const uint8_t pushed[] = {R0, R0 + 1, R0 + 2, R0 + 3, R12, LR, PC, XPSR};

    for (unsigned i = 0; i < sizeof pushed; i++) {
        registers[pushed[i]] = frame[i];
    }
    registers[SP] = (uint32_t)(uintptr_t)(frame + (has_fpu ? 26 : 8) + (frame[7] >> 9 & 1u));
}

/* A call is four bytes long, mostly; the address is within the function that calls in any case. */
__attribute__((used)) static _Noreturn void report_promise(const char *reason, const char *file,
                                                           int line)
{
    __asm__ volatile("mrs %0, xpsr" : "=r"(registers[XPSR]));
    registers[PC] = (registers[LR] & ~1u) - 4u;
    hrlp_fault_stop(reason, file, line, is_handler(registers[XPSR] & 0x1FFu));
}

#endif
