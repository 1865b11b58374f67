/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_fault.h"
#include "hrlp_irq.h"

/* fault_entry.S has saved the registers, which stand here by their numbers, but for sp and ra. */
enum { PC, SP, RA, T0 = 5, A0 = 10, T3 = 28, MCAUSE = 32, MTVAL, REGISTERS };

const char hrlp_fault_names[] = "pc sp ra gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 "
                                "s6 s7 s8 s9 s10 s11 t3 t4 t5 t6 mcause mtval";
uint32_t hrlp_fault_registers[REGISTERS];
static uint32_t *const registers = hrlp_fault_registers;

/* By the cause, Machine Cause Register (RISC-V privileged architecture 1.11, table 3.6). */
static const char *const reasons[] = {
    "a jump to an odd address",    "a jump to where no instructions are",
    "an undefined instruction",    "a breakpoint",
    "a load that is not aligned",  "a load from where nothing is",
    "a store that is not aligned", "a store to where nothing is",
};

/* mscratch holds the trap frame (switch.S) of what it interrupted, or 0. */
_Noreturn void hrlp_irq_unhandled(int line)
{
    const uint32_t *frame;

    __asm__ volatile("csrr %0, mepc" : "=r"(registers[PC]));
    __asm__ volatile("csrr %0, mscratch" : "=r"(frame));
    if (frame != NULL) {
        registers[SP] = (uint32_t)(uintptr_t)frame + 80;
        registers[RA] = frame[HRLP_RV32_FRAME_RA];
        for (unsigned i = 0; i < 15; i++) {
            registers[i < 8    ? A0 + i
                      : i < 11 ? T0 + i - 8
                               : T3 + i - 11] = frame[HRLP_RV32_FRAME_WORD(i)];
        }
    }
    hrlp_fault_unhandled(line, false);
}

_Noreturn void hrlp_rv32_report_fault(void)
{
    uint32_t cause;

    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    if (cause >> 31 != 0) {
        hrlp_irq_unhandled(-(int)(cause & 0xFFu));
    }
    __asm__ volatile("csrr %0, mepc" : "=r"(registers[PC]));
    __asm__ volatile("csrr %0, mtval" : "=r"(registers[MTVAL]));
    registers[MCAUSE] = cause;
    hrlp_fault_stop(cause < sizeof reasons / sizeof reasons[0] ? reasons[cause]
                                                               : "another exception",
                    NULL, 0, hrlp_cpu_in_interrupt());
}

/* The call ends two bytes behind, at least. */
_Noreturn void hrlp_rv32_report_promise(const char *reason, const char *file, int line)
{
    registers[PC] = registers[RA] - 2;
    hrlp_fault_stop(reason, file, line, hrlp_cpu_in_interrupt());
}
