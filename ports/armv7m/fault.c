/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cortex_m_fault.h"
#include "hrlp_guard.h"
#include "hrlp_irq.h"
#include <stddef.h>

/*
 * Faults of memory (MemManage, BusFault) are exceptions of their own, of priority 0x00. If the
 * frame of one cannot be pushed, as the main stack is what overflowed, that is a hard fault, which
 * is reported; if that of a hard fault cannot, the processor locks up. So it does where the
 * overflow comes at priority 0x00, or with PRIMASK set: then the first fault is a hard fault.
 */
enum { STATUS_REGISTERS = 5 };

const char hrlp_fault_names[] =
    "pc sp lr r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 xpsr cfsr hfsr dfsr mmfar bfar";
uint32_t hrlp_fault_registers[CFSR + STATUS_REGISTERS];

/* Configurable Fault Status Register (Armv7-M ARM, B3.2.15), from which on the others follow. */
#define STATUS ((volatile uint32_t *)0xE000ED28u)
#ifdef __ARM_ARCH_8M_MAIN__ /* where stacks have limits: a frame or an instruction falls below */
#define BELOW_LIMIT (1u << 20)
#else
#define BELOW_LIMIT 0u
#endif
#define STACKING 0x3838u      /* bits 3 to 5, 11 to 13: a frame, pushed or popped */
#define ADDRESS_VALID 0x8080u /* bits 7 and 15, of mmfar and bfar */
#define MPU_DATA 0x0082u      /* bits 1 and 7 */
static const char *const reasons[] = {
    [0] = "a jump to where no instructions are",
    [1] = "an access that the memory protection unit forbids",
    [8] = "a jump to where no instructions are",
    [9] = "an access to where nothing is",
    [10] = "a write to where nothing is, some instructions ago",
    [16] = "an undefined instruction",
    [17] = "a jump to an even address",
    [18] = "a return from an exception that is not valid",
    [19] = "a floating-point instruction without its unit",
    [24] = "an access that is not aligned",
    [25] = "a division by zero",
};

static const char *reason_of(uint32_t cfsr, bool of_thread)
{
    uint32_t causes = cfsr & ~ADDRESS_VALID;
    const char *guards = hrlp_guard_end((cfsr & MPU_DATA) == MPU_DATA ? STATUS[3] : UINTPTR_MAX);

    if ((cfsr & BELOW_LIMIT) != 0) {
        return of_thread ? "stack overflow: the stack's limit was reached"
                         : "stack overflow: the main stack's limit was reached";
    }
    if ((cfsr & STACKING) != 0) {
        return "stack overflow: an exception's frame does not fit";
    }
    if (guards != NULL) {
        return guards;
    }
    if (causes == 0) {
        return "a hard fault: a supervisor call or breakpoint that cannot be taken";
    }
    return reasons[__builtin_ctz(causes)];
}

/*
 * Whether the fault pushed a frame. A stack pointer that a frame would take below its limit stays
 * there without one (Armv8-M ARM, B3.21).
 */
static bool has_frame(uint32_t cfsr, const uint32_t *frame, bool of_thread)
{
#ifdef __ARM_ARCH_8M_MAIN__
    uint32_t limit;

    if (of_thread) {
        __asm__ volatile("mrs %0, psplim" : "=r"(limit));
    } else {
        __asm__ volatile("mrs %0, msplim" : "=r"(limit));
    }
    if ((cfsr & BELOW_LIMIT) != 0 && (uintptr_t)frame <= limit) {
        return false;
    }
#else
    (void)frame, (void)of_thread;
#endif
    return (cfsr & STACKING) == 0;
}

/*
 * `link` is EXC_RETURN: bit 2, the frame is on a thread's stack; bit 3, to a thread; bit 4, no
 * floating-point unit. A frame that could not be pushed says nothing.
 */
__attribute__((used)) static void report_fault(const uint32_t *frame, uint32_t link)
{
    uint32_t exception;
    bool in_interrupt = (link & 1u << 3) == 0, of_thread = (link & 1u << 2) != 0;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    for (unsigned i = 0; i < STATUS_REGISTERS; i++) {
        registers[CFSR + i] = STATUS[i];
    }
    registers[SP] = (uint32_t)(uintptr_t)frame;
    if (has_frame(registers[CFSR], frame, of_thread)) {
        take_frame(frame, (link & 1u << 4) == 0);
        in_interrupt = in_interrupt && is_handler(registers[XPSR] & 0x1FFu);
    }
    if (exception > LAST_FAULT || exception == NMI) {
        hrlp_fault_unhandled((int)exception - FIRST_LINE, in_interrupt);
    }
    hrlp_fault_stop(reason_of(registers[CFSR], of_thread), NULL, 0, in_interrupt);
}

/* Saves from r0 on; r12 is the register that a call, or the frame of an exception, leaves free. */
#define SAVE_R0_TO_R11                                                                             \
    "movw r12, #:lower16:hrlp_fault_registers\n\tmovt r12, #:upper16:hrlp_fault_registers\n\t"     \
    "add r12, #12\n\tstm r12, {r0-r11}\n\t"

/*
 * The report needs a stack. Where the main stack has less than 512 bytes left, or its pointer is
 * elsewhere, it begins anew at the top: what lies there is the oldest, and the report never returns
 * to it. r2 is the top, r3 the low end.
 */
#if HRL_CORES > 1 /* as each core has a main stack, which ends where MSPLIM says */
#define MAIN_STACK                                                                                     \
    "movw r2, #:lower16:hrl_link_main_stack_bytes\n\tmovt r2, #:upper16:hrl_link_main_stack_bytes\n\t" \
    "mrs r3, msplim\n\tadd r2, r3\n\t"
#else
#define MAIN_STACK                                                                                 \
    "movw r2, #:lower16:hrl_link_main_stack_top\n\tmovt r2, #:upper16:hrl_link_main_stack_top\n\t" \
    "movw r3, #:lower16:hrl_link_main_stack_low\n\tmovt r3, #:upper16:hrl_link_main_stack_low\n\t"
#endif
#define STACK_FOR_REPORT                                                                           \
    MAIN_STACK                                                                                     \
    "add r3, #512\n\tsub r4, sp, r3\n\tsubs r3, r2, r3\n\tcmp r4, r3\n\tit hi\n\tmovhi sp, r2\n\t"
__asm__(".weak hrl_link_main_stack_low"); /* 0 if the board's link.ld does not say it */

/* Every exception and interrupt without a handler ends here. */
__attribute__((naked)) void hrlp_fault_handler(void)
{
    __asm__ volatile(SAVE_R0_TO_R11 "tst lr, #4\n\tite eq\n\tmrseq r0, msp\n\tmrsne r0, psp\n\t"
                                    "mov r1, lr\n\t" STACK_FOR_REPORT "b report_fault");
}

__attribute__((naked, weak)) void hrl_assert_hook(const char *reason, const char *file, int line)
{
    (void)reason, (void)file, (void)line; /* stay in r0 to r2 */
    __asm__ volatile(SAVE_R0_TO_R11 "mov r3, sp\n\tstrd r3, lr, [r12, #-8]\n\tb report_promise");
}

/*
 * From the middle of a handler: what it interrupted lies on the process stack if no other handler
 * is active (ICSR.RETTOBASE); if not, it is not known where.
 */
_Noreturn void hrlp_irq_unhandled(int line)
{
    bool is_alone = (*(volatile uint32_t *)0xE000ED04u & 1u << 11) != 0;
    const uint32_t *frame;

    __asm__ volatile("mrs %0, psp" : "=r"(frame));
    if (is_alone) {
        take_frame(frame, false);
    }
    hrlp_fault_unhandled(line, !is_alone);
}
