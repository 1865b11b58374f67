/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cortex_m_fault.h"
#include "hrlp_irq.h"

/*
 * Every fault is a hard fault, and no register says why: the address of the instruction is what there is. If the frame
 * cannot be pushed, as the stack pointer is where there is no memory, or if a fault comes in the report, the processor
 * locks up.
 */
const char hrlp_fault_names[] = "pc sp lr r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 xpsr";
uint32_t hrlp_fault_registers[XPSR + 1];

#define THUMB (1u << 24) /* of xPSR: without it nothing can be executed */

/* fault_entry.S calls it. `link` is EXC_RETURN; bit 3: to a thread. */
_Noreturn void hrlp_armv6m_report_fault(const uint32_t *frame, uint32_t link);

_Noreturn void hrlp_armv6m_report_fault(const uint32_t *frame, uint32_t link)
{
    uint32_t exception;
    bool in_interrupt;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    take_frame(frame, false);
    in_interrupt = (link & 1u << 3) == 0 && is_handler(registers[XPSR] & 0x3Fu);
    if (exception > LAST_FAULT || exception == NMI) {
        hrlp_fault_unhandled((int)exception - FIRST_LINE, in_interrupt);
    }
    hrlp_fault_stop(
        (registers[XPSR] & THUMB) == 0
            ? "a jump to an even address"
            : "a hard fault: an access or an instruction that does not exist, or one that "
              "is not aligned",
        NULL, 0, in_interrupt);
}

/* fault_entry.S calls it, too. */
_Noreturn void hrlp_armv6m_report_promise(const char *reason, const char *file, int line);

_Noreturn void hrlp_armv6m_report_promise(const char *reason, const char *file, int line)
{
    report_promise(reason, file, line);
}

/*
 * From the middle of a handler. Whether it came into another is not known, so that neither are the registers of what it
 * interrupted.
 */
_Noreturn void hrlp_irq_unhandled(int line)
{
    hrlp_fault_unhandled(line, true);
}
